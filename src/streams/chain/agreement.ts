import { ChainError } from '../../errors/chain-error.js'
import { toOutpointKey } from '../../model/utxo.js'
import { TransactionIds } from '../../model/transaction-ids.js'
import type { ChainTip } from '../../model/chain-cursor/locator.js'
import type { Session } from '../session/establish.js'
import { hasTip, readSink } from './header.js'
import { createPageSize, readSegment } from './read-segment.js'
import type { ChainPage, FollowedTransactions, ScoredBlock } from './reduce-chain.js'
import type { FollowScope } from './scope.js'
import type { FollowSettings } from './options.js'
import type { Witness } from './node-requests.js'

type Page = ChainPage<FollowedTransactions>

/** The part of a page that a node of another host has as well; `behind` where none has any of it. */
export async function agreedPart(
  scope: FollowScope,
  page: Page,
  tip: ChainTip,
  { connection }: Session,
  settings: FollowSettings,
): Promise<Page | 'behind'> {
  if (page.fork === null && page.blocks.length === 0) return page
  for await (const witness of scope.witnesses(connection.endpoint.url)) {
    const agreed = await agreedWith(witness, page, tip, settings)
    if (agreed === null || (agreed.length === 0 && page.blocks.length > 0)) continue
    return { ...page, blocks: agreed, isAtTip: page.isAtTip && agreed.length === page.blocks.length }
  }
  return 'behind'
}

/**
 * The blocks of a page that a witness has too; null where the block before them is not on its chain, where it still has
 * what the page removes, or does not respond.
 */
async function agreedWith(
  witness: Witness,
  { fork, blocks }: Page,
  tip: ChainTip,
  settings: FollowSettings,
): Promise<Page['blocks'] | null> {
  try {
    if (fork !== null && (await hasTip(witness, tip))) return null
    const start = fork ?? tip
    const { blueScore } = await readSink(witness)
    const own = { ...settings, minConfirmations: 0n }
    const request = { start, sinkScore: blueScore, settings: own, size: createPageSize() }
    const { removed, blocks: theirs } = await readSegment(witness, request)
    if (removed.length > 0) return null
    const differs = blocks.findIndex((block, at) => !isSame(block, theirs[at]))
    return differs === -1 ? blocks : blocks.slice(0, differs)
  } catch (error) {
    if (error instanceof ChainError) return null // it says nothing
    throw error
  }
}

type Block = ScoredBlock<FollowedTransactions>

const isSame = (a: Block, b: Block | undefined): boolean =>
  a.hash === b?.hash &&
  a.blueScore === b.blueScore &&
  a.daaScore === b.daaScore &&
  a.timestamp === b.timestamp &&
  BigInt(`0x0${a.blueWork}`) === BigInt(`0x0${b.blueWork}`) &&
  textOf(a) === textOf(b)

/**
 * What a block accepted, as text that is equal for equal transactions; masses aside, which nodes of several versions
 * may measure differently.
 */
function textOf({ transactions }: Block): string {
  if (transactions instanceof TransactionIds) return transactions.toStrings().join()
  return transactions
    .map(({ id, version, isCoinbase, payload, inputs, outputs }) => {
      const spent = inputs.map(
        ({ outpoint, address, amount, covenantId }) => `${toOutpointKey(outpoint)} ${address} ${amount} ${covenantId}`,
      )
      const created = outputs.map(
        ({ amount, covenantId, scriptPublicKey }) =>
          `${amount} ${scriptPublicKey.version}:${scriptPublicKey.script} ${covenantId}`,
      )
      return [id, version, isCoinbase, payload, ...spent, '>', ...created].join()
    })
    .join(';')
}
