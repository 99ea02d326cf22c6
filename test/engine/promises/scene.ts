import { asyncScheduler, type Observable } from 'rxjs'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import type { ChainEngineOptions } from '../../../src/engine/options.js'
import { createTestPlatform, type TestPlatform } from '../../../src/testing/platform.js'
import { createScriptedNode, type ScriptedNode } from '../../../src/testing/scripted-node.js'

export interface EngineScene {
  readonly engine: ChainEngine
  readonly node: ScriptedNode
  readonly platform: TestPlatform
}

/** An engine over a scripted node, in real time; frames and retries come within milliseconds. */
export function createEngineScene(options: ChainEngineOptions = {}): EngineScene {
  const platform = createTestPlatform({ scheduler: asyncScheduler, frame: 1 })
  const node = createScriptedNode()
  const reconnect = { baseDelay: 1, jitter: 0 }
  const ports = { node, platform, ...options.ports }
  const engine = createChainEngine({ network: 'simnet', reconnect, ...options, ports })
  return { engine, node, platform }
}

/** What a stream says from now on, and how it ends. */
export function listen<T>(stream$: Observable<T>): { heard: T[]; end: string[]; leave: () => void } {
  const heard: T[] = []
  const end: string[] = []
  const listening = stream$.subscribe({
    next: (value) => heard.push(value),
    error: () => end.push('error'),
    complete: () => end.push('complete'),
  })
  return { heard, end, leave: () => listening.unsubscribe() }
}
