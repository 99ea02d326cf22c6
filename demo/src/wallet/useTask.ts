import { shallowRef } from 'vue'

/** What became of something that a wallet was asked for. */
export type Task<T> =
  | { readonly state: 'idle' | 'busy' }
  | { readonly state: 'done'; readonly result: T }
  | { readonly state: 'failed'; readonly error: Error }

/** One thing that is asked for at a time, and what became of it. */
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
