const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex="0"]'

/** Keeps Tab inside `root`: after the last focusable element follows the first. */
export function trapFocus(event: KeyboardEvent, root: HTMLElement): void {
  if (event.key !== 'Tab') return
  const focusable = [...root.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (stop) => stop.getClientRects().length > 0,
  )
  const index = focusable.findIndex((stop) => stop === document.activeElement)
  const leaves = event.shiftKey ? index <= 0 : index === focusable.length - 1
  if (!leaves) return
  event.preventDefault()
  focusable.at(event.shiftKey ? -1 : 0)?.focus()
}
