/** Patterns of wire strings. */

export const NETWORK_TYPE = /^(?:mainnet|testnet|devnet|simnet)$/
export const NETWORK_ID = /^(?:mainnet|testnet|devnet|simnet)(?:-\d{1,9})?$/
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
