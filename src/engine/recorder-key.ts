/** The key of what an engine calls when it is created. `Symbol.for` makes it equal across two copies of this module. */
export const ATTACH: unique symbol = /*#__PURE__*/ Symbol.for('vue-chain recorder')
