import { ChainError } from '../../errors/chain-error.js'
import { toOutpointKey } from '../../model/utxo.js'
import { TransactionIds } from '../../model/transaction-ids.js'
import type { LocatorEntry } from '../../model/chain-cursor/locator.js'
import type { Session } from '../session/establish.js'
import { readSink } from './header.js'
import { createPageSize } from './page-size.js'
import type { ChainPage, FollowedTransactions, ScoredBlock } from './page.js'
import { readSegment } from './read-segment.js'
import type { FollowScope } from './scope.js'
import type { FollowSettings } from './settings.js'
import type { Witness } from './witnesses.js'

type Page = ChainPage<FollowedTransactions>

/** The part of a page that a node of another host has as well; `behind` where none has any of it. */
export async function agreedPart(
  scope: FollowScope,
  page: Page,
  tip: LocatorEntry,
  { connection }: Session,
  settings: FollowSettings,
): Promise<Page | 'behind'> {
  if (page.fork === null && page.blocks.length === 0) return page
  for await (const witness of scope.witnesses(connection.endpoint.url)) {
    const agreed = await agreedWith(witness, page.fork ?? tip, page.blocks, settings)
    if (agreed === null || (agreed.length === 0 && page.blocks.length > 0)) continue
    return { ...page, blocks: agreed, isAtTip: page.isAtTip && agreed.length === page.blocks.length }
  }
  return 'behind'
}

/** The blocks that a witness has after a block too; null where that block is not on its chain, or it does not respond. */
async function agreedWith(
  witness: Witness,
  start: LocatorEntry,
  blocks: Page['blocks'],
  settings: FollowSettings,
): Promise<Page['blocks'] | null> {
  try {
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
  b !== undefined &&
  a.hash === b.hash &&
  a.blueScore === b.blueScore &&
  a.daaScore === b.daaScore &&
  a.timestamp === b.timestamp &&
  BigInt(`0x0${a.blueWork}`) === BigInt(`0x0${b.blueWork}`) &&
  textOf(a) === textOf(b)

/** What a block accepted, as text that is equal for equal transfers. */
function textOf({ transactions }: Block): string {
  if (transactions instanceof TransactionIds) return transactions.toStrings().join()
  return transactions
    .map(({ id, inputs, outputs }) => {
      const spent = inputs.map(({ outpoint, address, amount }) => `${toOutpointKey(outpoint)} ${address} ${amount}`)
      const created = outputs.map(
        ({ amount, scriptPublicKey: { version, script } }) => `${amount} ${version}:${script}`,
      )
      return [id, ...spent, '>', ...created].join()
    })
    .join(';')
}
