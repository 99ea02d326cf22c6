/** A turn of the event loop: whatever was due without a delay has been done. */
export const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
