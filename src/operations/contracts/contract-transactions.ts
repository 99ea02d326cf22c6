import { withOutcome } from '../../errors/with-outcome.js'
import { createPlan, type Plan } from '../transactions/created-plan.js'
import type { SerializedTransaction } from '../../model/serialized-transaction.js'
import { createScriptClasses } from '../transactions/script-classes.js'
import { createMadePayments, createLookupStart, type LookupStart } from '../transactions/submit/before-submission.js'
import type { Contract } from '../../model/contracts/contract.js'
import { SIGN_OPTIONS, checkSendOptions, requireSigning } from '../transactions/check-payment.js'
import { loadCode } from '../../loading/load-code.js'
import type { PendingTx, SendOptions, SigningSettings } from '../transactions/records.js'
import { signAndSubmit } from '../transactions/sign-and-submit.js'
import { begin, toGenesis, type Beginning } from './genesis.js'
import { lastOf, planSteps, type PlannedStep, summarizeContracts } from './plan-steps.js'
import { loadEcdsa } from '../transactions/sign/sign-with-keys.js'
import {
  checkContractSettings,
  fetchContractTerms,
  planContract,
  type CheckedContractSettings,
  type PlannedContract,
} from './plan-contract.js'
import { claimedElsewhere } from '../transactions/submit/held-utxos.js'
import { createSignedAmounts, withoutStore } from '../transactions/sign/signed-amounts.js'
import type { PlannedCalls } from './moved-calls.js'
import type {
  ContractCall,
  DescribedCall,
  ContractPlan,
  ContractSettings,
  DeployPlan,
  DeploySettings,
  SentCalls,
} from './contract-call.js'
import type { Call } from '../queries/call.js'
import { restoreContract, type RestoreDependencies, submitCalls } from './submit-calls.js'
import { toCallRecord, withCalls } from './contract-signing.js'
import type { ScriptPublicKey } from '../../model/utxo.js'
import { invalidArgument } from '../../errors/chain-error.js'
import { prepareFunds } from '../transactions/prepare.js'

/** What contracts need beside what payments need. */
export interface ContractDependencies extends RestoreDependencies {
  /** Notes a covenant whose genesis a node has. */
  readonly onBegun: (covenantId: string, beginning: Beginning, transactionId: string) => void
}

export interface ContractOperations {
  readonly deploy: (contract: Contract, state: unknown, settings: DeploySettings) => Promise<DeployPlan>
  readonly transaction: (calls: readonly ContractCall[], settings: ContractSettings) => Promise<ContractPlan>
  readonly restore: (serialized: SerializedTransaction) => Promise<PendingTx>
}

/** Plans, signs and sends transactions of contracts. */
export function createContractTransactions(dependencies: ContractDependencies): ContractOperations {
  const { sdk, claims } = dependencies
  const memory = { signedAmounts: createSignedAmounts(dependencies.signedAmounts), made: createMadePayments() }
  const classify = createScriptClasses()

  /** The plan of what was executed. */
  const toPlan = async (
    steps: readonly PlannedStep[],
    settings: CheckedContractSettings,
    lookupStart: LookupStart,
    onRelayed: (transactionId: string) => void = () => undefined,
  ): Promise<PlannedCalls> => {
    const { change } = settings
    const { planned, calls } = lastOf(steps)
    const { last } = planned
    const summary = summarizeContracts(steps)
    const stepOf = (id: string): PlannedStep | undefined => steps.find((step) => step.planned.last.id === id)
    const plan = createPlan(
      steps.flatMap((step) => step.planned.built),
      {
        network: settings.network,
        replaces: settings.replaces,
        change,
        ecdsa: await loadEcdsa(steps.flatMap((step) => keysOf(step.planned))),
        ...memory,
        lookupStart,
        extension: {
          signing: (signing) =>
            withCalls(
              signing,
              steps.map((step) => ({ id: step.planned.last.id, spends: step.planned.spends })),
            ),
          calls: ({ id }) => (stepOf(id)?.calls ?? []).map(toCallRecord),
          submit: (submit, built) => {
            const step = stepOf(built.id)
            return step ? submitCalls(submit, built, step.calls, { ...dependencies, lookupStart, onRelayed }) : submit
          },
        },
      },
      dependencies,
    )
    return {
      id: last.id,
      calls,
      lookupStart: lookupStart.known,
      release: () => {
        for (const { release } of plan.transactions) release()
      },
      plan: {
        transactions: plan.transactions.map(({ transaction }) => transaction),
        summary,
        async send(signing, options) {
          const sent = await sendPlan(plan, signing, options)
          return { ...sent, summary: { ...summary, finalTransactionId: last.id } }
        },
      },
    }
  }

  const sendPlan = async (
    plan: Plan,
    { privateKeys, signer }: SigningSettings,
    options: SendOptions = {},
  ): Promise<Omit<SentCalls, 'summary'>> => {
    try {
      checkSendOptions(options, SIGN_OPTIONS)
      const keysOrSigner = requireSigning('send', { privateKeys, signer })
      if (signer === undefined) sdk('send') // throws before anything is reserved where WASM is not ready
      for (const { hold } of plan.transactions) hold()
      if (claims !== undefined && (await claims.claim(plan.claimed, 'planned')) !== 'claimed') {
        for (const { release } of plan.transactions) release()
        throw claimedElsewhere()
      }
      const transactionIds = [...(await signAndSubmit(plan, keysOrSigner, options, claims))]
      return { transactionIds, known: plan.transactions.at(-1)?.transaction.known ?? 'new' }
    } catch (error) {
      throw withOutcome(error, 'unsent')
    }
  }

  const prepare = (settings: ContractSettings) => {
    const checked = checkContractSettings(settings, dependencies, classify)
    if (!checked.commitsAmounts && dependencies.signedAmounts === undefined) throw withoutStore()
    const lookupStart = createLookupStart(dependencies)
    lookupStart.prefetch() // what is accepted from now on is found by a search for another spender
    const call: Call = (method, request) => dependencies.call(method, request, { signal: settings.signal })
    return { checked, lookupStart, call }
  }

  const planCalls = async (described: readonly DescribedCall[], settings: ContractSettings): Promise<PlannedCalls> => {
    const { checked, lookupStart, call } = prepare(settings)
    const steps = await planSteps(described, { checked, call, signal: settings.signal }, dependencies)
    return toPlan(steps, checked, lookupStart)
  }

  return {
    async transaction(calls, settings) {
      const described = requireDescribed(calls)
      if (described.every(({ options }) => options.onMoved === undefined))
        return (await planCalls(described, settings)).plan
      const { withNextPlans } = await loadCode(() => import('./recovery.js'))
      const { replaces: _, ...next } = settings
      return withNextPlans(await planCalls(described, settings), (again) => planCalls(again, next), settings)
    },
    async deploy(contract, state, { value, ...settings }) {
      const { outputs, states } = begin(contract, state, value)
      const { checked, lookupStart, call } = prepare(settings)
      const preparation = await prepareFunds(checked, fetchContractTerms(checked, [], call))
      const planned = planContract([], outputs, preparation, dependencies)
      const { covenantId, genesis } = toGenesis(planned.last, states)
      const { plan } = await toPlan([{ planned, calls: [] }], checked, lookupStart, (transactionId) =>
        dependencies.onBegun(covenantId, { contract, genesis }, transactionId),
      )
      return { ...plan, covenantId, genesis }
    },
    restore: async (serialized) => restoreContract(serialized, memory, dependencies),
  }
}

/** The scripts of all keys that sign. */
const keysOf = ({ built, spends }: PlannedContract): readonly ScriptPublicKey[] =>
  [...built.flatMap(({ spent }) => spent), ...spends.flatMap(({ signers }) => signers)].map(
    ({ scriptPublicKey }) => scriptPublicKey,
  )

function requireDescribed(calls: unknown): readonly DescribedCall[] {
  const isDescribed = (call: unknown): call is DescribedCall =>
    typeof call === 'object' && call !== null && 'target' in call
  if (Array.isArray(calls) && calls.length > 0 && calls.every(isDescribed)) return calls
  throw invalidArgument('calls', '"calls" must be an array of calls, not empty', 'instance.call describes one.')
}
