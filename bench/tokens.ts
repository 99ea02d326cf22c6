import { filter, firstValueFrom, shareReplay, Subject, type Observable } from 'rxjs'
import { createTokens } from '../src/contracts/index.js'
import type { ChainEngine } from '../src/engine/engine.js'
import { encodeAddress } from '../src/model/address.js'
import { type Contract, defineContract } from '../src/model/contracts/contract.js'
import type { ContractRow } from '../src/model/contracts/rows.js'
import { tokenState } from '../src/model/tokens/owner.js'
import type { TokenState } from '../src/model/tokens/token-program.js'
import type { UtxoEntry } from '../src/model/utxo.js'
import type { ChainBatch, ChainBlock, ChainContractTransaction } from '../src/streams/chain/batch.js'
import { toFind, type SnapshotOutput } from '../src/streams/contracts/start-rows.js'
import { owned } from '../test/contract-calls/token-rows.js'
import { ALICE, BOB } from '../test/contract-calls/transaction.js'
import { openTokens } from '../test/contracts/tokens/harness.js'
import { token20 } from '../test/fixtures/contracts/modules/token20.js'
import { limited } from './lib/limited.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'

const Token = defineContract(token20)
const [OWNERS, OUTPUTS, ROUNDS] = [1_000, 10_000, 22]
const KAS = 100_000_000n

type Batch = ChainBatch<ChainBlock<ChainContractTransaction>>

/** 10,000 outputs of 1,000 owners: from a transfer of the chain to the balances, and from a snapshot to the rows. */
export async function run(): Promise<BenchRow[]> {
  return [await transferred(), restarted()]
}

const hash = (index: number): string => index.toString(16).padStart(64, '0')

const owners = Array.from({ length: OWNERS }, (_, at) =>
  encodeAddress(
    'kaspasim',
    'PubKey',
    Uint8Array.from({ length: 32 }, (__, byte) => (byte < 2 ? at >> (8 * byte) : 7)),
  ),
)

/** Outputs of a token, each owner's in turn. */
const outputsOf = (covenantId: string): readonly (ContractRow & { readonly state: TokenState })[] =>
  Array.from({ length: OUTPUTS }, (_, at) => {
    const state = tokenState(owners[at % OWNERS]!, BigInt(at + 1))
    return {
      covenantId,
      outpoint: { transactionId: hash(at + 1), index: 0 },
      value: KAS,
      scriptPublicKey: Token.scriptPublicKey(state),
      state,
      isForeign: false,
      isGenesis: false,
      blockDaaScore: 1n,
      createdBy: null,
      spentBy: null,
    }
  })

/**
 * A chain that accepts a transfer, and undoes it, again and again: from the batch to what `createTokens` shows of the
 * balances.
 */
async function transferred(): Promise<BenchRow> {
  const { engine, genesis, covenantId, minted, block, close } = await recorded()
  const begun = { outpoint: minted, value: KAS, state: owned(1_000n) }
  const snapshot = [...outputsOf(covenantId).map(({ outpoint, value, state }) => ({ outpoint, value, state })), begun]
  const batches = new Subject<Batch>()
  const batch = { cursor: '', rollback: null, blocks: [block], isLive: true } as const
  const undo = { hash: hash(2), blueScore: block.blueScore - 1n, daaScore: block.daaScore }
  const replaced = {
    rpc: { ...engine.rpc, getUtxosByAddresses: () => Promise.resolve(snapshot.map(entryOf(covenantId))) },
    followChain: () => iterate(batches),
  }
  const descriptors = Object.fromEntries(Object.entries(replaced).map(([name, value]) => [name, { value }]))
  const tokens = createTokens({ engine: Object.create(engine, descriptors) as ChainEngine })
  tokens.add({ artifact: token20, genesis, snapshot })
  const balances$ = tokens.balances$([ALICE.address, BOB.address, ...owners]).pipe(shareReplay(1))
  const shown = (outputs: number): Promise<unknown> =>
    firstValueFrom(
      balances$.pipe(filter(([token]) => token?.isLive === true && token.balances[0]?.outputs === outputs)),
    )
  const subscription = balances$.subscribe()
  while (!batches.observed) await new Promise((resolve) => setImmediate(resolve))
  batches.next({ ...batch, blocks: [] })
  await shown(OUTPUTS + 1)
  const measure = async (next: Batch, outputs: number): Promise<number> => {
    const from = process.cpuUsage()
    batches.next(next)
    await shown(outputs)
    const { user, system } = process.cpuUsage(from)
    return (user + system) / 1_000
  }
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    times.push(await measure(batch, OUTPUTS + 2))
    await measure({ ...batch, rollback: undo, blocks: [] }, OUTPUTS + 1)
  }
  subscription.unsubscribe()
  await close()
  const detail = `, ${OUTPUTS} outputs of ${OWNERS} owners, median of ${ROUNDS - 2}`
  return limited('follow a token transfer to the balances, processor time', median(times.slice(2)), 20, 'ms', detail)
}

/** What the UTXO set has of a snapshot. */
function restarted(): BenchRow {
  const covenantId = hash(9)
  const rows = outputsOf(covenantId)
  const genesis = { outpoint: { transactionId: hash(0), index: 0 }, outputs: [] }
  const snapshot = rows.map(({ outpoint, state, value }) => ({ outpoint, state, value }))
  const entries = rows.map(({ outpoint, value: amount, scriptPublicKey, blockDaaScore }) => ({
    ...{ outpoint, amount, scriptPublicKey, blockDaaScore, covenantId },
    isCoinbase: false,
  }))
  const times = Array.from({ length: 3 }, () => {
    const from = process.cpuUsage()
    const search = toFind([{ contract: Token as unknown as Contract, covenantId, genesis, snapshot }], 'simnet')
    const found = search.found(entries)
    const { user, system } = process.cpuUsage(from)
    if (found.rows.length !== OUTPUTS || found.incomplete.length > 0) throw new Error('The snapshot was not found')
    return (user + system) / 1_000
  })
  return limited(`begin with a snapshot of ${OUTPUTS} token outputs, processor time`, median(times), 2_000, 'ms')
}

/** The batches that are emitted, as an engine delivers those of the chain. */
async function* iterate(batches: Observable<Batch>): AsyncGenerator<Batch, undefined, undefined> {
  const waiting: Batch[] = []
  let wake = (): void => undefined
  const subscription = batches.subscribe((batch) => {
    waiting.push(batch)
    wake()
  })
  try {
    for (;;) {
      const next = waiting.shift()
      if (next === undefined) await new Promise<void>((resolve) => (wake = resolve))
      else yield next
    }
  } finally {
    subscription.unsubscribe()
  }
}

/** What the UTXO set has of an output of the snapshot. */
const entryOf =
  (covenantId: string) =>
  ({ outpoint, value, state }: SnapshotOutput<TokenState>): UtxoEntry => ({
    ...{ outpoint, amount: value, scriptPublicKey: Token.scriptPublicKey(state), covenantId },
    ...{ isCoinbase: false, blockDaaScore: 1n },
  })

/** A token of a network in memory, and the block that accepts its transfer. */
async function recorded() {
  const { engine, devnode, tokens, mint, transfer, close } = await openTokens({ count: 4 })
  const { token: covenantId, genesis, from } = await mint()
  const id = await transfer(tokens.transfer({ token: covenantId, to: BOB.address, amount: 600n }))
  await devnode.mine(2)
  for await (const { blocks } of engine.followChain({ from, detail: 'contracts' }))
    for (const block of blocks)
      for (const { id: found, inputs } of block.transactions)
        if (found === id) return { engine, genesis, covenantId, minted: inputs[0]!.outpoint, block, close }
  throw new Error('The chain has no transfer')
}
