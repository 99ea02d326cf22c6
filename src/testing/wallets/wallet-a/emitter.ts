type Listener = (...payload: never[]) => void

/**
 * KasWare's event emitter, as in Node: prototype methods that need their receiver. A listener that throws prevents
 * later ones.
 */
export class KaswareEmitter {
  /** @internal */
  readonly listenersOf = new Map<string, readonly Listener[]>()

  on(event: string, listener: (...payload: never[]) => void): this {
    this.listenersOf.set(event, [...(this.listenersOf.get(event) ?? []), listener])
    return this
  }

  addListener(event: string, listener: (...payload: never[]) => void): this {
    return this.on(event, listener)
  }

  once(event: string, listener: (...payload: never[]) => void): this {
    const once: Listener = (...payload) => {
      this.removeListener(event, once)
      listener(...payload)
    }
    return this.on(event, once)
  }

  removeListener(event: string, listener: (...payload: never[]) => void): this {
    const remaining = [...(this.listenersOf.get(event) ?? [])]
    const index = remaining.lastIndexOf(listener)
    if (index >= 0) remaining.splice(index, 1)
    this.listenersOf.set(event, remaining)
    return this
  }

  off(event: string, listener: (...payload: never[]) => void): this {
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
