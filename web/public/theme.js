// Runs before the first paint, so that a chosen theme does not flash. Not inline: the policy forbids it.
;(() => {
  try {
    const theme = localStorage.getItem('recollect.theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  } catch {
    // Looking at the storage throws where the user forbids it: then the system's theme is taken.
    delete document.documentElement.dataset.theme
  }
})()
