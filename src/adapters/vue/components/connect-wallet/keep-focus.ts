const STOPS =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex="0"]'

/** Tab goes round inside `root` instead of leaving it. */
export function keepFocus(event: KeyboardEvent, root: HTMLElement): void {
  if (event.key !== 'Tab') return
  const stops = [...root.querySelectorAll<HTMLElement>(STOPS)].filter((stop) => stop.getClientRects().length > 0)
  const at = stops.findIndex((stop) => stop === document.activeElement)
  const leaves = event.shiftKey ? at <= 0 : at === stops.length - 1
  if (!leaves) return
  event.preventDefault()
  stops.at(event.shiftKey ? -1 : 0)?.focus()
}
