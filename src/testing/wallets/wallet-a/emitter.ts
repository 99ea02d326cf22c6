export type Listener = (...payload: never[]) => void

/**
 * KasWare's events: an emitter as Node has it. The methods stand on the prototype and need their receiver, and listeners
 * run one after another, so that one which throws stops the rest.
 */
export class KaswareEmitter {
  readonly listenersOf = new Map<string, readonly Listener[]>()

  on(event: string, listener: Listener): this {
    this.listenersOf.set(event, [...(this.listenersOf.get(event) ?? []), listener])
    return this
  }

  addListener(event: string, listener: Listener): this {
    return this.on(event, listener)
  }

  once(event: string, listener: Listener): this {
    const once: Listener = (...payload) => {
      this.removeListener(event, once)
      listener(...payload)
    }
    return this.on(event, once)
  }

  removeListener(event: string, listener: Listener): this {
    const left = [...(this.listenersOf.get(event) ?? [])]
    const index = left.lastIndexOf(listener)
    if (index >= 0) left.splice(index, 1)
    this.listenersOf.set(event, left)
    return this
  }

  off(event: string, listener: Listener): this {
    return this.removeListener(event, listener)
  }

  removeAllListeners(event?: string): this {
    if (event === undefined) this.listenersOf.clear()
    else this.listenersOf.delete(event)
    return this
  }

  listenerCount(event: string): number {
    return this.listenersOf.get(event)?.length ?? 0
  }

  emit(event: string, ...payload: unknown[]): boolean {
    const listeners = this.listenersOf.get(event) ?? []
    for (const listener of listeners) listener(...(payload as never[]))
    return listeners.length > 0
  }
}
