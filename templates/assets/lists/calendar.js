// Keys for the calendar of activity: it is a single stop for the Tab key, and arrows step from day to day.

const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -400, End: 400 }

function walkDays(event) {
  const step = steps[event.key]
  const day = event.target.closest('a')
  if (!step || !day || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  const days = [...event.currentTarget.querySelectorAll('a')]
  const next = days[Math.min(days.length - 1, Math.max(0, days.indexOf(day) + step))]
  // Not always the day with the focus: another one may have been clicked.
  for (const stop of days) if (!stop.hasAttribute('tabindex')) stop.setAttribute('tabindex', '-1')
  next.removeAttribute('tabindex')
  next.focus()
}

document.querySelector('.calendar svg')?.addEventListener('keydown', walkDays)
