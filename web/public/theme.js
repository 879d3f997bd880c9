// Runs before the first paint to avoid a flash of the wrong theme. Not inline, because the CSP forbids inline scripts.
;(() => {
  try {
    const theme = localStorage.getItem('recollect.theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  } catch {
    // Accessing storage throws if the user forbids it; the system theme is used then.
    delete document.documentElement.dataset.theme
  }
})()
