import { blockMethods } from './block-methods.js'
import { coinMethods } from './coin-methods.js'
import { nodeMethods } from './node-methods.js'

export type { MethodEntry } from './method.js'

/** Every method of the node, by its name on the wire. */
export const methods = /*#__PURE__*/ Object.assign({}, nodeMethods, blockMethods, coinMethods)
