// Shows times in the reader's zone, in the form and width in which they were built; the title shows UTC and what was built.

const two = (number) => String(number).padStart(2, '0')

function dayOf(date) {
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function clockOf(date) {
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The forms in which times are built, with the part of `2026-03-14 09:26:53` that each of them shows. */
const forms = [
  [/^\d\d:\d\d$/, 11, 16],
  [/^\d\d:\d\d:\d\d$/, 11, 19],
  [/^\d\d-\d\d \d\d:\d\d$/, 5, 16],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d$/, 0, 16],
  [/^\d{4}-\d\d-\d\d$/, 0, 10],
]

/** The instant in the form of `text`; `undefined` if that is none of these forms. */
function inForm(date, text) {
  const [, from, to] = forms.find(([form]) => form.test(text)) ?? []
  return to === undefined ? undefined : `${dayOf(date)} ${clockOf(date)}:${two(date.getSeconds())}`.slice(from, to)
}

/** The day in the heading above a row; `undefined` for a time that is not in such a row. */
function headingDay(time) {
  return /^[dr]-(\d{4}-\d\d-\d\d)$/.exec(time.closest('section')?.firstElementChild?.id ?? '')?.[1]
}

function localize(time) {
  // Times in drawings are `<text>`, because SVG has no `<time>`.
  const iso = time.dateTime ?? time.dataset.at
  const date = new Date(iso)
  const built = time.textContent
  // A day without a time is not an instant and has no zone.
  if (!iso.includes('T') || Number.isNaN(date.getTime())) return
  const local = inForm(date, built)
  if (local === undefined) return
  const utc = `${date.toISOString().replace('T', ' ').slice(0, 19)} UTC`
  const before = time.title || (utc.includes(built) ? '' : `${built} in the site’s time zone`)
  const title = before === '' || before === utc ? utc : `${utc}\n${before}`
  if (time.title !== title) time.title = title
  if (local === built) return
  time.textContent = local
  // In the reader's zone, the day may differ from that of the heading.
  const day = local.length === 5 ? headingDay(time) : undefined
  if (day !== undefined && day !== dayOf(date)) time.dataset.shift = dayOf(date) > day ? '+1' : '−1'
}

const done = new WeakSet()

/** Converts the times inside an element to the reader's zone; each time is converted only once. */
export function showLocalTimes(root) {
  for (const time of root.querySelectorAll('time[datetime], text[data-at]')) {
    if (!done.has(time)) localize(time)
    done.add(time)
  }
}

showLocalTimes(document)
// Elements that were added to the page later.
document.addEventListener('codex-fresh', ({ target }) => showLocalTimes(target.parentElement))
