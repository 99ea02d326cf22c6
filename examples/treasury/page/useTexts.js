import { onScopeDispose, ref, shallowRef } from 'vue'

/** Ms between two reads. */
const INTERVAL = 1_000

/** The texts that the service has, the newest first; `isReached` is false while the service does not respond. */
export function useTexts() {
  const [texts, isReached] = [shallowRef([]), ref(true)]
  const stopped = new AbortController()
  onScopeDispose(() => stopped.abort())

  async function read() {
    try {
      const response = await fetch('/texts', { signal: stopped.signal })
      if (!response.ok) throw new Error(`The service responds with ${response.status}`)
      texts.value = (await response.json()).reverse()
      isReached.value = true
    } catch (error) {
      if (stopped.signal.aborted) return
      isReached.value = false // stopped, or restarting: the next read shows it
      console.warn(String(error))
    }
    setTimeout(read, INTERVAL)
  }
  void read()

  /** Gives a text to the service; given again after a failure, it is stored once. */
  async function pass(text) {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch('/texts', { method: 'POST', headers, body: JSON.stringify({ text }) })
    if (!response.ok) throw new Error((await response.json()).error)
  }
  return { texts, isReached, pass }
}
