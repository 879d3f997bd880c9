// Runs before the first paint, so that a chosen theme does not flash. Not inline: the policy forbids it.
;(() => {
  try {
    const theme = localStorage.getItem('recollect.theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  } catch (error) {
    console.info('the chosen theme could not be read', error)
  }
})()
