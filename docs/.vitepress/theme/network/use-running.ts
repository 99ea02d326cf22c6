import { onBeforeUnmount, onMounted, shallowReadonly, shallowRef } from 'vue'
import type { ActionName } from './action-labels.js'

/** What runs for a component, on a network of the page. */
export interface Running {
  /** Rejects with the error of the action. */
  act(action: ActionName): Promise<void>
  close(): void
}

/** Calls `begin` once; the function that it returns withdraws the call. */
export type Beginning = (begin: () => void) => () => void

/**
 * Starts what a component shows when `beginning` says, and closes it with the component: also what has started only
 * after that. `start` resolves with nothing where its place was removed.
 */
export function useRunning(start: () => Promise<Running | undefined>, beginning: Beginning) {
  const running = shallowRef<Running>()
  const error = shallowRef('')
  let isUnmounted = false
  let withdraw: (() => void) | undefined

  function show(reason: unknown): void {
    error.value = reason instanceof Error ? reason.message : String(reason)
  }

  async function run(): Promise<void> {
    const started = await start()
    if (isUnmounted) started?.close()
    else running.value = started
  }

  async function act(action: ActionName): Promise<void> {
    error.value = ''
    await running.value?.act(action).catch(show)
  }

  onMounted(() => (withdraw = beginning(() => void run().catch(show))))
  onBeforeUnmount(() => {
    isUnmounted = true
    withdraw?.()
    running.value?.close()
  })
  return { running: shallowReadonly(running), error: shallowReadonly(error), show, act }
}

/** Begins once an element is seen, or is less than a margin away from it. */
export const whenSeen =
  (element: () => Element | null, rootMargin = '0px'): Beginning =>
  (begin) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        begin()
      },
      { rootMargin },
    )
    const seen = element()
    if (seen !== null) observer.observe(seen)
    return () => observer.disconnect()
  }

/** Begins after the first paint of the page. */
export const afterFirstPaint: Beginning = (begin) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => (timer = setTimeout(begin)))
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
