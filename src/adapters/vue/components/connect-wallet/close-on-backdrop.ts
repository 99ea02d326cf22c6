/**
 * Handlers that close a dialog on a backdrop click. Pointer down and click must both hit the backdrop: a text selection
 * that ends outside does not count, nor does the second click of a double click on the opening button.
 */
export function closeOnBackdrop(close: () => void) {
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
