/**
 * Closes a dialog by a press beside its sheet. Such a press begins and ends there: text that is selected from inside to
 * outside is none, and neither is the second half of a double click on the button that has just opened the dialog.
 */
export function closeBeside(close: () => void) {
  let pressed: EventTarget | null = null
  return {
    onPointerdown: ({ target }: PointerEvent): void => {
      pressed = target
    },
    onClick: ({ target, currentTarget, detail }: MouseEvent): void => {
      if (target === currentTarget && pressed === currentTarget && detail < 2) close()
    },
  }
}
