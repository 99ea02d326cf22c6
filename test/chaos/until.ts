import { setTimeout as pause } from 'node:timers/promises'

/** How often, in ms, a state that announces no change is looked at. */
const LOOK = 5

/** Waits for a state; whether it came within `deadline` ms. */
export async function until(isSo: () => boolean, deadline: number): Promise<boolean> {
  const end = Date.now() + deadline
  while (!isSo()) {
    if (Date.now() > end) return false
    await pause(LOOK)
  }
  return true
}
