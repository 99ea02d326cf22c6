/** Calls under the same key at a time are one call. */
export function shareCalls(): (key: string, call: () => Promise<void>) => Promise<void> {
  const underWay = new Map<string, Promise<void>>()
  return (key, call) => {
    const promise = underWay.get(key) ?? call().finally(() => underWay.delete(key))
    underWay.set(key, promise)
    return promise
  }
}
