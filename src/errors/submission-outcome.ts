/**
 * What is known about a submission. No reply of a node proves that a transaction will be accepted, or never will be;
 * the chain shows both.
 * - `relayed`: the node has it in its mempool or took it now, or its chain shows it accepted. The submission resolves.
 * - `unsent`: this signed transaction was never handed to a node, and the library knows it: it was signed by this
 *   engine, which has not sent it by any path, or it is malformed or against a rule of every node.
 * - `unknown`: everything else, such as a lost reply and every refusal by a node.
 */
export type SubmissionOutcome = 'relayed' | 'unsent' | 'unknown'

/** The outcome of a submission that rejects. */
export type FailedOutcome = Exclude<SubmissionOutcome, 'relayed'>
