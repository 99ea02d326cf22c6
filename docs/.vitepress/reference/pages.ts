/** The members of the engine that a page is about: their reference stands at its end. Composables have a page each. */
export const ENGINE_PAGES: Readonly<Record<string, readonly string[]>> = {
  accounts: ['accounts'],
  chain: ['followChain', 'chainBatches$'],
  connection: ['connection', 'server$', 'switchNetwork'],
  diagnosis: ['diagnose', 'metrics'],
  'getting-paid': ['requests'],
  keys: ['keys'],
  streams: [
    'balances$',
    'utxos',
    'acceptedTransactions$',
    'transactionStatus$',
    'blocks$',
    'virtualDaaScore$',
    'sinkBlueScore$',
    'gaps$',
  ],
  transactions: ['transactions'],
  transfers: ['followTransfers'],
  wasm: ['wasm'],
}
