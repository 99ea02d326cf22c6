import { invalidArgument } from '../../errors/chain-error.js'
import { isValidAddress, toScriptPublicKey } from '../../model/address.js'
import type { NetworkParams, ChainNetwork } from '../../model/network.js'
import type { ScriptPublicKey, UtxoEntry, Outpoint } from '../../model/utxo.js'
import { ChainState } from './chain/chain-state.js'
import { Dag } from './chain/dag.js'
import { type Network, retainAll } from './network.js'
import { Refusals } from './mempool/refusals.js'
import { Mempool } from './mempool/mempool.js'
import { MAX_SOMPI } from '../../model/amount.js'
import { VerificationCache } from './rules/spending.js'
import type { Utxo } from './steps/fund.js'
import { Addresses, UtxoSet } from './utxo-set.js'
import { blockHash, hashMerkleRoot } from '../../model/block.js'
import { ByteWriter } from '../../model/bytes.js'
import { blake2b256, ZERO_HASH } from '../../model/hashing.js'
import { toHex } from '../../model/hex.js'
import { COINBASE_SUBNETWORK, createTransaction } from '../../model/transaction.js'
import { type BlockContext, type LedgerBlock, writeCoinbasePayload } from './block.js'
import { toKnownTransaction, type KnownTransaction } from './transaction.js'

/** A network at genesis with an initial UTXO set. */
export function createNetwork(
  params: NetworkParams,
  utxos: readonly UtxoEntry[],
  refusals: Refusals = new Refusals(),
): Network {
  const genesis = createGenesis(params.id, utxos)
  const dag = new Dag(genesis.hash)
  dag.insert(genesis)
  const utxoSet = new UtxoSet()
  utxoSet.apply({ removed: [], added: utxos })
  utxoSet.takeChanges()
  const addresses = new Addresses(params.addressPrefix)
  const validation = {
    coinbaseMaturity: params.coinbaseMaturity,
    addresses,
    verificationCache: new VerificationCache(),
  }
  const state = ChainState.atGenesis(dag, params.id, validation, utxoSet)
  return { state, mempool: Mempool.empty(), retention: retainAll(genesis.hash), refusals }
}

/** UTXO entries of genesis. Throws `ChainError` (`invalid-argument`) for an invalid address or amount. */
export function toGenesisEntries(params: NetworkParams, utxos: readonly Utxo[]): readonly UtxoEntry[] {
  const scripts = new Map<string, ScriptPublicKey>()
  return utxos.map(({ address, amount }, index) => {
    const argument = `genesisUtxos[${String(index)}]`
    const scriptPublicKey = scripts.get(address) ?? scriptOf(params, address, argument)
    scripts.set(address, scriptPublicKey)
    assertAmount(amount, argument)
    return { address, outpoint: genesisOutpoint(index), amount, scriptPublicKey, blockDaaScore: 0n, isCoinbase: false }
  })
}

/** Throws `ChainError` for an address of another network and for an amount outside 1 to `MAX_SOMPI`. */
export function assertUtxo(params: NetworkParams, { address, amount }: Utxo, argument: string): void {
  scriptOf(params, address, argument)
  assertAmount(amount, argument)
}

function scriptOf({ id, addressPrefix }: NetworkParams, address: string, argument: string): ScriptPublicKey {
  if (isValidAddress(address, id)) return toScriptPublicKey(address)
  throw invalidArgument(
    `${argument}.address`,
    `"${address as string}" is no address of ${id}`,
    `Use an address that begins with ${addressPrefix}:`,
  )
}

function assertAmount(amount: bigint, argument: string): void {
  if (amount > 0n && amount <= MAX_SOMPI) return
  throw invalidArgument(
    `${argument}.amount`,
    `${String(amount)} sompi cannot be paid`,
    `Use an amount in sompi from 1n to ${String(MAX_SOMPI)}n.`,
  )
}

/** Genesis parameters of a network. The resulting hashes are in `test/fixtures/consensus/genesis.json`. */
interface GenesisParams {
  /** Unix milliseconds. */
  readonly timestamp: bigint
  readonly bits: number
  readonly nonce: bigint
  readonly daaScore: bigint
  /** Hex, after the script in the coinbase payload. */
  readonly extraData: string
  readonly utxoCommitment: string
}

/** The commitment to an empty UTXO set. */
const NO_UTXOS = '544eb3142c000f0ad2c76ac41f4222abbababed830eeafee4b6dc56b52d5cac0'

const SUBSIDY = 100_000_000n
const SCRIPT = { version: 0, script: '00' }
const of2021 = (bits: number, nonce: bigint, extraData: string, timestamp = 1_633_687_894_966n): GenesisParams => ({
  timestamp,
  bits,
  nonce,
  daaScore: 0n,
  extraData,
  utxoCommitment: NO_UTXOS,
})
const TESTNET = /*#__PURE__*/ of2021(0x1e7fffff, 83_330n, '6b617370612d746573746e6574')

const PARAMS: Readonly<Record<ChainNetwork, GenesisParams>> = {
  mainnet: {
    timestamp: 1_637_609_671_037n,
    bits: 486_722_099,
    nonce: 211_244n,
    daaScore: 1_312_860n,
    extraData:
      'd795d79ed79420d793d79920d7a2d79cd799d79a20d795d7a2d79c20d790d797d799d79a20d799d799d798d79120d791d7a9d790d7a820' +
      'd79bd7a1d7a4d79020d795d793d794d791d79420d79cd79ed7a2d791d79320d79bd7a8d7a2d795d7aa20d790d79cd794d79bd79d20d7aa' +
      'd7a2d791d793d795d79f0000000000000000000b1f8e1c17b0133d439174e52efbb0c41c3583a8aa66b00fca37ca667c2d550a6c4416da' +
      'd9717e50927128c424fa4edbebc436ab13aeef',
    utxoCommitment: '710f27df423e63aa6cdb72b89ea5a06cffa399d66f167704455b5af59def8e20',
  },
  'testnet-10': TESTNET,
  'testnet-12': TESTNET,
  simnet: /*#__PURE__*/ of2021(0x207fffff, 2n, '6b617370612d73696d6e6574'),
  devnet: /*#__PURE__*/ of2021(505_527_324, 298_590n, '6b617370612d6465766e6574', 1_231_006_505_000n),
}

/** The block that `getBlock` names as genesis's selected parent. */
const ORIGIN: string = /*#__PURE__*/ 'fe'.repeat(32)

/** The genesis block. Genesis UTXOs change its commitment and so its hash, as on a real node. */
function createGenesis(network: ChainNetwork, utxos: readonly UtxoEntry[]): LedgerBlock {
  const params = PARAMS[network]
  const miner = { scriptPublicKey: SCRIPT, extraData: params.extraData }
  const coinbase = createCoinbase(writeCoinbasePayload({ blueScore: 0n, subsidy: SUBSIDY, miner }))
  const header = {
    version: 0,
    parentsByLevel: [],
    hashMerkleRoot: hashMerkleRoot([coinbase.transaction]),
    acceptedIdMerkleRoot: ZERO_HASH,
    utxoCommitment: utxos.length === 0 ? params.utxoCommitment : commitTo(utxos),
    timestamp: params.timestamp,
    bits: params.bits,
    nonce: params.nonce,
    daaScore: params.daaScore,
    blueScore: 0n,
    blueWork: '0'.repeat(48),
    pruningPoint: ZERO_HASH,
  }
  const hash = blockHash(header)
  const context = createContext(params)
  return { hash, header: { hash, ...header }, transactions: [coinbase], context, miner, subsidy: SUBSIDY }
}

/** The outpoint of a genesis UTXO: its transaction id is `index + 1`, little-endian. */
function genesisOutpoint(index: number): Outpoint {
  const bytes = [0, 8, 16, 24].map((shift) => (((index + 1) >>> shift) & 0xff).toString(16).padStart(2, '0'))
  return { transactionId: ['0'.repeat(48), ...bytes, '0'.repeat(8)].join(''), index: 0 }
}

function createContext({ daaScore, timestamp }: GenesisParams): BlockContext {
  const empty = { mergeset: [], blues: [], reds: [], anticoneSizes: new Map<string, number>() }
  return {
    parents: [],
    ghostdag: { ...empty, selectedParent: ORIGIN, blueScore: 0n, blueWork: 0n },
    daaScore,
    outsideDaaWindow: new Set(),
    pastMedianTime: timestamp,
    medianSamples: [],
  }
}

function createCoinbase(payload: string): KnownTransaction {
  const empty = { inputs: [], outputs: [] }
  return toKnownTransaction(createTransaction({ ...empty, subnetworkId: COINBASE_SUBNETWORK, payload }))
}

function commitTo(utxos: readonly UtxoEntry[]): string {
  const writer = new ByteWriter(utxos.length * 80)
  for (const { outpoint, amount, scriptPublicKey } of utxos)
    writer.hex(outpoint.transactionId).u32(outpoint.index).u64(amount).hexWithLength(scriptPublicKey.script)
  return toHex(blake2b256(writer.written()))
}
