import { asyncScheduler, type Observable } from 'rxjs'
import { onTestFinished } from 'vitest'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import type { ChainEngineOptions } from '../../../src/engine/options.js'
import { createTestPlatform, type TestPlatform } from '../../../src/testing/platform.js'
import { createScriptedNode, type ScriptedNode } from '../../../src/testing/scripted-node.js'

export interface EngineHarness {
  readonly engine: ChainEngine
  readonly node: ScriptedNode
  readonly platform: TestPlatform
}

/** An engine on a scripted node, in real time; frames and retries take 1 ms. It is disposed with the test. */
export function createEngineHarness(options: ChainEngineOptions = {}): EngineHarness {
  const platform = createTestPlatform({ scheduler: asyncScheduler, frame: 1 })
  const node = createScriptedNode({ validate: false })
  const reconnect = { baseDelay: 1, jitter: 0 }
  const ports = { node, platform, ...options.ports }
  const engine = createChainEngine({ network: 'simnet', reconnect, ...options, ports })
  onTestFinished(() => engine.dispose())
  return { engine, node, platform }
}

/** Subscribes and records the values and the end of a stream. */
export function record<T>(stream$: Observable<T>): { received: T[]; end: string[]; unsubscribe: () => void } {
  const received: T[] = []
  const end: string[] = []
  const subscription = stream$.subscribe({
    next: (value) => received.push(value),
    error: () => end.push('error'),
    complete: () => end.push('complete'),
  })
  return { received, end, unsubscribe: () => subscription.unsubscribe() }
}
