import { useChain, useRpc, useTransactionListener, useUtxo } from 'vue-chain'
import { defineContract, tokenState, type ContractCall } from 'vue-chain/contracts'
import { useContracts, useTokens } from 'vue-chain/contracts/vue'
import { shallowReadonly, shallowRef, type Ref } from 'vue'
import { command, type Account } from '../devnode'
import { token20 } from './token20.contract'

const SUPPLY = 1_000n
const Token = defineContract(token20)

/** Deeper reorgs than the control endpoint makes are of no use to see one. */
const MAX_DEPTH = 50
/** The accepting block and the blocks below it that may include the transaction. */
const EXTRA_DEPTH = 3

/** A token of the page: its last one that was minted, by an account that also pays the fees. */
export function useTestToken(account: Ref<Account>): {
  /** Its covenant id; null before the first one. */
  token: Readonly<Ref<string | null>>
  mint: () => Promise<void>
  send: (to: string, amount: bigint) => Promise<void>
  /** A reorg to a branch without the last transaction of the token. */
  undo: () => Promise<void>
} {
  const { init } = useChain()
  const { getVirtualChainFromBlock } = useRpc()
  const { acceptedTransactions } = useTransactionListener()
  const { matureEntries } = useUtxo(() => account.value.address)
  const contracts = useContracts()
  const { tokens } = useTokens()
  const token = shallowRef<string | null>(null)
  const last = shallowRef<string>()

  const funding = () => ({ entries: [...matureEntries.value], changeAddress: account.value.address })
  const signing = () => ({ privateKeys: [account.value.privateKeyHex] })

  async function call(described: ContractCall): Promise<void> {
    await init()
    const plan = await contracts.transaction([described], funding())
    last.value = (await plan.send(signing())).transactionIds.at(-1)
  }

  return {
    token: shallowReadonly(token),
    async mint() {
      await init()
      const plan = await contracts.deploy(Token, tokenState(account.value.address, SUPPLY), funding())
      token.value = tokens.add({ artifact: token20, genesis: plan.genesis }).covenantId // an app stores both
      last.value = (await plan.send(signing())).transactionIds.at(-1)
    },
    async send(to, amount) {
      if (token.value === null) throw new Error('No token yet. Mint one.')
      await call(tokens.transfer({ token: token.value, to, amount }))
    },
    async undo() {
      const accepted = acceptedTransactions.value.find(({ transactionId }) => transactionId === last.value)
      if (accepted === undefined) throw new Error('No accepted transaction of the token. Mint or send, and wait.')
      const { addedChainBlockHashes } = await getVirtualChainFromBlock(accepted.acceptingBlockHash, false)
      const depth = addedChainBlockHashes.length + EXTRA_DEPTH
      if (depth > MAX_DEPTH) throw new Error('The last transaction is too deep for a reorg. Send again.')
      await command('/reorg', { depth, drop: [accepted.transactionId] })
    },
  }
}
