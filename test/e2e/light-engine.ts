/** Starts an engine with `light` as `engine` of the global scope, in a Web Worker whose name is the URL of the node. */
import { createChainEngine } from '../../src/engine/engine.js'
import { light } from '../../src/light/index.js'

const engine = createChainEngine({ network: 'simnet', url: self.name, sdk: light })
Object.assign(globalThis, { engine })
