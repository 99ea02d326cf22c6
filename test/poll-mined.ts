import { expect } from 'vitest'

/** Polls a value, with a block mined before each reading: `await pollMined(devnode, read).toBe('settled')`. */
export const pollMined = <T>(node: { mine(): Promise<unknown> }, read: () => T | Promise<T>) =>
  expect.poll(async () => {
    await node.mine()
    return read()
  })
