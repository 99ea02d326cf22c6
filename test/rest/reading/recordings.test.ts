import { describe, expect, it } from 'vitest'
import { ChainRestError } from '../../../src/errors/rest-error.js'
import { readAnswer } from '../../../src/rest/reading/read-answer.js'
import type { ReaderName } from '../../../src/rest/reading/readers.js'
import { recordingsOf, toResponse, type Recording } from '../recordings.js'

const FAMILIES = [
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

/** Which reader takes which endpoint's answers. */
const READERS: readonly (readonly [RegExp, ReaderName])[] = [
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
  [/^GET \/info\/coinsupply\/./, 'plainText'],
  [/^GET \/info\/coinsupply/, 'coinSupply'],
  [/^GET \/info\/halving\?field=nextH/, 'plainText'],
  [/^GET \/info\/halving/, 'halving'],
  [/^GET \/info\/\w+\?stringOnly=(true|on|yes|1)/i, 'plainText'],
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

const readerOf = ({ method, path }: Recording) => READERS.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1]
const isWhole = ({ bodyCut, status }: Recording) => bodyCut === undefined && status !== 307

describe.each(FAMILIES)('recorded answers of %s', (family) => {
  const readable = recordingsOf(family).filter((entry) => readerOf(entry) !== undefined && isWhole(entry))

  it.each(readable.filter(({ status }) => status === 200).map((entry) => [entry.name, entry] as const))(
    '%s is read',
    async (_, entry) => {
      const answer = await readAnswer(askedOf(entry), toResponse(entry), readerOf(entry)!)
      expect(answer.value).toBeDefined()
    },
  )

  it.each(readable.filter(({ status }) => status !== 200).map((entry) => [entry.name, entry] as const))(
    '%s is an answer of its own kind, or a refusal with status and body',
    async (_, entry) => {
      const answer = await readAnswer(askedOf(entry), toResponse(entry), readerOf(entry)!).catch(
        (error: unknown) => error,
      )
      if (!(answer instanceof ChainRestError)) return
      expect(answer).toMatchObject({ code: 'http', status: entry.status, method: entry.method })
      expect(answer.body).toEqual(entry.body === '' ? '' : JSON.parse(entry.body))
      expect(answer.hint).toMatch(/\.$/)
    },
  )
})

const askedOf = ({ method, path }: Recording) => ({ method: method as 'GET', url: `https://indexer.test${path}` })

it('has a reader for every recorded endpoint', () => {
  const strangers = FAMILIES.flatMap(recordingsOf).filter((entry) => readerOf(entry) === undefined)
  const known =
    /^\/(ping|nope|docs|redoc|openapi\.json)?$|^\/info\/nope|^\/addressses|^\/blocks$|\/transactions\/count$|\/active\/count$/
  expect(strangers.map(({ path }) => path).filter((path) => !known.test(path))).toEqual([])
})
