import type { VueChainOptions } from 'vue-chain'
import { light } from 'vue-chain/light'

/** Where a build connects: to a public node of this network. */
const LIVE: VueChainOptions = { network: 'testnet-10' }

/** With `npm run dev` the app connects to the local devnode. `light` derives keys and signs without WASM. */
export const options: VueChainOptions = { ...(__DEVNODE__?.options ?? LIVE), sdk: light }

/** A funded account of the devnode, whose key is public. Null in a build: there the user's browser wallet pays. */
export const devAccount = __DEVNODE__?.account ?? null

/** The address of another account of the devnode. */
export const devRecipient = __DEVNODE__?.recipient ?? ''
