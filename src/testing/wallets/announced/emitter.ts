export type Listener = (payload: never) => void

/** The event listeners of a provider. */
export interface Emitter {
  add(event: string, listener: Listener): void
  remove(event: string, listener: Listener): void
  readonly emit: (event: string, payload: unknown) => void
  count(): number
}

export function createEmitter(): Emitter {
  const byEvent = new Map<string, Set<Listener>>()
  return {
    add: (event, listener) => {
      byEvent.set(event, (byEvent.get(event) ?? new Set()).add(listener))
    },
    remove: (event, listener) => void byEvent.get(event)?.delete(listener),
    emit: (event, payload) => byEvent.get(event)?.forEach((listener) => listener(payload as never)),
    count: () => [...byEvent.values()].reduce((sum, { size }) => sum + size, 0),
  }
}
