import { asyncScheduler, distinctUntilChanged, map } from 'rxjs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createChainEngine } from '../../src/engine/engine.js'
import { createTestPlatform } from '../../src/testing/platform.js'
import { createScriptedNode } from '../../src/testing/scripted-node.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('runs a whole engine with the fake timers of a test runner', async () => {
  const node = createScriptedNode()
  const platform = createTestPlatform({ scheduler: asyncScheduler })
  const engine = createChainEngine({ network: 'simnet', url: 'ws://scripted', ports: { node, platform } })
  const status$ = engine.connection.state$.pipe(map(({ status }) => status))
  const statuses: string[] = []
  status$.pipe(distinctUntilChanged()).subscribe((status) => statuses.push(status))
  await engine.connection.connect()

  node.drop()
  await vi.advanceTimersByTimeAsync(250)
  expect(statuses).toEqual(['disconnected', 'connecting', 'connected', 'reconnecting', 'connected'])

  platform.online$.next(false)
  node.drop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(statuses.at(-1)).toBe('reconnecting')
  platform.online$.next(true)
  await vi.advanceTimersByTimeAsync(0)
  expect(statuses.at(-1)).toBe('connected')
  await engine.dispose()
})
