/**
 * Resolves in a later turn of the event loop, so that requests and timers run in between. Not a timer: timers may be
 * virtual, and browsers delay nested ones.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
