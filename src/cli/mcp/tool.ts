import type { Chain } from './chain.js'
import type { DevnodeOfProcess } from './devnode-of-process.js'
import type { Documentation } from './documentation.js'

/** The JSON schema of one argument. */
export type ArgumentSchema = Readonly<Record<string, unknown>>

/** What the tools of one server process share. */
export interface ToolContext {
  readonly documentation: Documentation
  /** Node and indexer of the flags. */
  readonly chain: Chain
  readonly devnode: DevnodeOfProcess
}

/** Plain data; bigints become strings of digits. */
export interface ToolResult {
  readonly result: unknown
  /** What a remote party wrote: escaped, at most 2,000 characters. */
  readonly untrusted?: string | undefined
}

/** Arguments that fit the schema of their tool. */
export type ToolArguments = Readonly<Record<string, unknown>>

/** A tool of the server. */
export interface Tool {
  readonly about: string
  /** Whether it changes anything: the devnode of this process, and nothing else. */
  readonly changesDevnode?: boolean
  readonly schema: Readonly<Record<string, ArgumentSchema>>
  readonly required?: readonly string[]
  readonly run: (args: ToolArguments, context: ToolContext) => Promise<ToolResult> | ToolResult
}

/** Tools by name. */
export type Tools = Readonly<Record<string, Tool>>
