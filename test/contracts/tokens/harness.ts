import { filter, firstValueFrom } from 'rxjs'
import { createTokens, type TokenBalances, type TokenOwner, type Tokens } from '../../../src/contracts/index.js'
import type { GenesisRecord } from '../../../src/model/covenant-id.js'
import { toHex } from '../../../src/model/hex.js'
import type { TokenState } from '../../../src/model/tokens/token-program.js'
import { owned, Token } from '../../contract-calls/token-rows.js'
import { ALICE, BOB, CAROL } from '../../contract-calls/transaction.js'
import { token20 } from '../../fixtures/contracts/modules/token20.js'
import { openContracts, type ContractsHarness } from '../harness.js'

/** Tokens on a network in memory: minted to Alice, who funds all transactions. */
export interface TokensHarness extends ContractsHarness {
  readonly tokens: Tokens
  /** The keys of all parties. */
  readonly all: { readonly privateKeys: readonly string[] }
  /** A token on the chain with these outputs, added. */
  readonly mint: (...states: readonly TokenState[]) => Promise<MintedToken>
  /** Plans, sends and mines. */
  readonly transfer: (...calls: readonly ReturnType<Tokens['transfer']>[]) => Promise<string>
}

export interface MintedToken {
  readonly token: string
  readonly genesis: GenesisRecord<TokenState>
  /** A block from before it. */
  readonly from: string
}

export async function openTokens(options?: Parameters<typeof openContracts>[0]): Promise<TokensHarness> {
  const harness = await openContracts(options)
  const { contracts, devnode, engine, funding } = harness
  const tokens = createTokens({ engine, contracts })
  const all = { privateKeys: [ALICE, BOB, CAROL].map(({ key }) => toHex(key)) }
  return {
    ...harness,
    tokens,
    all,
    mint: async (...states) => {
      const { sink: from } = await engine.rpc.getSink()
      const plan = await contracts.deploy(Token, states.length === 0 ? [owned(1_000n)] : states, funding())
      await plan.send(all)
      await devnode.mine(2)
      const { covenantId } = tokens.add({ artifact: token20, genesis: plan.genesis, from })
      return { token: covenantId, genesis: plan.genesis, from }
    },
    transfer: async (...calls) => {
      const { transactionIds } = await (await contracts.transaction(calls, funding())).send(all)
      await devnode.mine(2 * transactionIds.length)
      return transactionIds.at(-1)!
    },
  }
}

/** The amounts of a token that an owner has, once the chain is followed to its end and they fit. */
export async function balanceOf(
  tokens: Tokens,
  owner: TokenOwner,
  token: string,
  fits: (balances: TokenBalances) => boolean = () => true,
): Promise<TokenBalances> {
  const found = await firstValueFrom(
    tokens
      .balances$(owner)
      .pipe(filter((all) => all.some((one) => one.covenantId === token && one.isLive && fits(one)))),
  )
  return found.find(({ covenantId }) => covenantId === token)!
}

/** The amount that the chain has. */
export const amountOf = ({ balances }: TokenBalances): bigint =>
  balances.reduce((sum, { amount, pending }) => sum + amount + pending, 0n)
