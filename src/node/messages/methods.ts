import { blockMethods } from './block-methods.js'
import { utxoMethods } from './utxo-methods.js'
import { nodeMethods } from './node-methods.js'

export type { MethodEntry } from './shape.js'

/** Every method of the node, by wire name. */
export const methods = /*#__PURE__*/ Object.assign({}, nodeMethods, blockMethods, utxoMethods)
