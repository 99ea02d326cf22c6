interface Entry {
  readonly tab: object
  readonly grant: () => void
  readonly steal: () => void
}

/** Exclusive Web Locks of the tabs of an origin, in the order of their requests, unless they are stolen. */
export function createFakeLocks() {
  const queues = new Map<string, Entry[]>()
  const next = (name: string): void => queues.get(name)?.[0]?.grant()
  const leave = (name: string, entry: object): void => {
    const queue = queues.get(name) ?? []
    const at = queue.findIndex((each) => each === entry)
    if (at < 0) return
    queue.splice(at, 1)
    if (at === 0) next(name)
  }

  /** `close` releases what the tab has and ends what it waits for, as a crash does. */
  function openTab() {
    const tab = {}
    const request = (name: string, options: LockOptions, work: (lock: Lock | null) => Promise<unknown>) =>
      new Promise<unknown>((resolve, reject) => {
        const queue = queues.get(name) ?? []
        queues.set(name, queue)
        const { signal, ifAvailable = false, steal = false } = options
        if (ifAvailable && queue.length > 0) {
          void work(null).then(resolve, reject)
          return
        }
        let isGranted = false
        const entry = {
          tab,
          grant: () => {
            isGranted = true
            void work({ name, mode: 'exclusive' })
              .finally(() => leave(name, entry))
              .then(resolve, reject)
          },
          steal: () => reject(new DOMException('The lock was stolen', 'AbortError')),
        }
        signal?.addEventListener('abort', () => {
          if (isGranted) return
          leave(name, entry)
          reject(signal.reason as Error)
        })
        if (steal) {
          const [holder] = queue.splice(0, 1)
          queue.unshift(entry)
          holder?.steal()
        } else queue.push(entry)
        if (queue[0] === entry) queueMicrotask(entry.grant)
      })
    const query = () => {
      const entries = [...queues].flatMap(([name, queue]) => queue.map((_, at) => ({ at, name })))
      const named = (some: typeof entries) => some.map(({ name }) => ({ name, mode: 'exclusive' as const }))
      return Promise.resolve({
        held: named(entries.filter(({ at }) => at === 0)),
        pending: named(entries.filter(({ at }) => at > 0)),
      })
    }
    const close = (): void => {
      for (const [name, queue] of queues) for (const entry of [...queue]) if (entry.tab === tab) leave(name, entry)
    }
    return { manager: { request, query } as unknown as Pick<LockManager, 'request' | 'query'>, close }
  }
  return { openTab }
}
