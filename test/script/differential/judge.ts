import type { Case } from './case.js'

/** What a judge says of a spend: `accepted` or the text of the failure, and the units until then where it has them. */
export interface Verdict {
  readonly outcome: string
  readonly units?: number
}

const NOT_EXECUTED = 'the simulated network does not execute opcode'

/** Whether a case reached no opcode that only this machine does not execute. */
export const isExecuted = ({ run: { failure } }: Case): boolean =>
  failure === undefined || !failure.reason.startsWith(NOT_EXECUTED)
