import type { DecoderName } from '../../src/rest/decoding/decoders.js'
import type { Recording } from './recordings.js'

/** The recording files with endpoint responses. */
export const FAMILIES = [
  'address-transactions',
  'addresses',
  'blocks',
  'counts',
  'features-off',
  'info',
  'lifecycle',
  'mainnet-price',
  'mass',
  'no-database',
  'node-down',
  'node-down-wrpc',
  'node-unsynced',
  'submit',
  'transactions',
  'two-hosts',
  'virtual-chain',
  'wrpc-backend',
]

/** The decoder of each endpoint's responses. */
const DECODERS: readonly (readonly [RegExp, DecoderName])[] = [
  [/^GET \/addresses\/[\w:%]+\/balance(\?|$)/, 'balanceEntry'],
  [/^GET \/addresses\/\w+:\w+\/balance\//, 'balanceHistory'],
  [/^GET \/addresses\/\w+:\w+\/utxos(\?|$)/, 'utxos'],
  [/^GET \/addresses\/\w+:\w+\/utxos\/count/, 'utxoCount'],
  [/^GET \/addresses\/\w+:\w+\/name/, 'addressName'],
  [/^GET \/addresses\/\w+:\w+\/transactions-count/, 'transactionCount'],
  [/^GET \/addresses\/\w+:\w+\/full-transactions(\?|$)/, 'transactions'],
  [/^GET \/addresses\/\w+:\w+\/full-transactions-page/, 'transactionPage'],
  [/^GET \/addresses\/names/, 'addressNames'],
  [/^GET \/addresses\/top/, 'topAddresses'],
  [/^GET \/addresses\/distribution/, 'distributionTiers'],
  [/^GET \/addresses\/active\/count\/$/, 'activeCount'],
  [/^GET \/addresses\/active\/count\/./, 'activeCounts'],
  [/^POST \/addresses\/balances/, 'balanceEntries'],
  [/^POST \/addresses\/utxos/, 'utxos'],
  [/^POST \/addresses\/active/, 'activities'],
  [/^GET \/blocks\/./, 'block'],
  [/^GET \/blocks\?/, 'blockList'],
  [/^GET \/blocks-from-bluescore/, 'blocks'],
  [/^GET \/transactions\/count\/$/, 'transactionsCount'],
  [/^GET \/transactions\/count\/./, 'transactionsCounts'],
  [/^GET \/transactions\/./, 'transactionOrNull'],
  [/^POST \/transactions\/search/, 'transactions'],
  [/^POST \/transactions\/acceptance/, 'acceptances'],
  [/^POST \/transactions\/mass/, 'transactionMass'],
  [/^POST \/transactions(\?|$)/, 'submission'],
  [/^GET \/virtual-chain/, 'virtualChain'],
  [/^GET \/info\/get-vscp/, 'virtualChainFromBlock'],
  [/^GET \/info\/virtual-chain-blue-score/, 'blueScore'],
  [/^GET \/info\/(blockdag|network)/, 'blockdag'],
  [/^GET \/info\/coinsupply\/./, 'decimalText'],
  [/^GET \/info\/coinsupply/, 'coinSupply'],
  [/^GET \/info\/halving\?field=nextH/, 'plainText'],
  [/^GET \/info\/halving/, 'halving'],
  [/^GET \/info\/marketcap\?stringOnly=(true|on|yes|1)/i, 'plainText'],
  [/^GET \/info\/\w+\?stringOnly=(true|on|yes|1)/i, 'decimalText'],
  [/^GET \/info\/blockreward/, 'blockReward'],
  [/^GET \/info\/hashrate\/max/, 'maxHashrate'],
  [/^GET \/info\/hashrate\/history/, 'hashrateHistory'],
  [/^GET \/info\/hashrate/, 'hashrate'],
  [/^GET \/info\/marketcap/, 'marketCap'],
  [/^GET \/info\/price/, 'price'],
  [/^GET \/info\/market-data/, 'anything'],
  [/^GET \/info\/fee-estimate/, 'feeEstimate'],
  [/^GET \/info\/health/, 'health'],
  [/^GET \/info\/kaspad/, 'chaindInfo'],
]

export const decoderOf = ({ method, path }: Recording) =>
  DECODERS.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1]
/** Recorded completely, and no redirect. */
export const isWhole = ({ bodyCut, status }: Recording) => bodyCut === undefined && status !== 307
