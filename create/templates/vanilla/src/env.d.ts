/** The devnode of `npm run dev`, see devnode.ts. */
declare const __DEVNODE__: {
  readonly options: import('vue-chain/streams').ChainEngineOptions
  readonly account: import('vue-chain/devnode').DevnodeAccount
  /** An address to pay to. */
  readonly recipient: string
} | null
