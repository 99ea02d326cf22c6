import { shallowRef } from 'vue'

/** The state of a wallet operation. */
export type Task<T> =
  | { readonly state: 'idle' | 'busy' }
  | { readonly state: 'done'; readonly result: T }
  | { readonly state: 'failed'; readonly error: Error }

/** Runs one wallet operation at a time and exposes its state. */
export function useTask<T>() {
  const task = shallowRef<Task<T>>({ state: 'idle' })

  async function run(work: () => Promise<T>): Promise<void> {
    if (task.value.state === 'busy') return
    task.value = { state: 'busy' }
    try {
      task.value = { state: 'done', result: await work() }
    } catch (error) {
      task.value = { state: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
    }
  }
  return { task, run }
}
