import type { HttpRequest } from '../../http.js'
import type { Indexer } from '../indexer.js'
import { parseJson } from '../../../wrpc/json/message-text.js'
import { MalformedFrame } from '../../../wrpc/wire-errors.js'
import { Problems, missing, readFields, type Fields, type Reader, type Values } from './reader.js'
import { internalError, refuse, type Reply } from './reply.js'

/** One endpoint. */
export interface Route {
  readonly method: 'GET' | 'POST'
  /** The path, with `{name}` for parameters. */
  readonly path: string
  handle(request: HttpRequest, pathParams: Readonly<Record<string, string>>, indexer: Indexer): Reply
}

/** The validated parameters of a request. */
export interface EndpointRequest<Path extends Fields, Query extends Fields, Body> {
  readonly path: Values<Path>
  readonly query: Values<Query>
  readonly body: Body
}

export interface RouteParts<Path extends Fields, Query extends Fields, Body> {
  /** The readers of the path parameters; a function if they depend on the network. */
  readonly pathParams?: Path | ((indexer: Indexer) => Path)
  readonly query?: Query
  readonly body?: Reader<Body>
  /** Refuses unknown query parameters; without it they are ignored. */
  readonly strict?: true
  handle(parsed: EndpointRequest<Path, Query, Body>, indexer: Indexer): Reply
}

export const get = /*#__NO_SIDE_EFFECTS__*/ <Path extends Fields, Query extends Fields>(
  path: string,
  parts: RouteParts<Path, Query, undefined>,
): Route => toRoute('GET', path, parts)

export const post = /*#__NO_SIDE_EFFECTS__*/ <Path extends Fields, Query extends Fields, Body>(
  path: string,
  parts: RouteParts<Path, Query, Body>,
): Route => toRoute('POST', path, parts)

function toRoute<Path extends Fields, Query extends Fields, Body>(
  method: Route['method'],
  path: string,
  parts: RouteParts<Path, Query, Body>,
): Route {
  const { pathParams = {} as Path, query = {} as Query, body, strict } = parts
  return {
    method,
    path,
    handle(request, found, indexer) {
      if (strict === true) refuseUnknown(request, Object.keys(query))
      const problems = new Problems()
      const fields = typeof pathParams === 'function' ? pathParams(indexer) : pathParams
      const parsed = {
        path: readFields(fields, (name) => found[name], ['path'], problems),
        query: readFields(query, (name) => request.query.getAll(name).at(-1), ['query'], problems),
        body: body === undefined ? undefined : readBody(body, request, problems),
      }
      if (problems.list.length > 0) throw refuse(422, problems.list)
      // without problems every field has its type
      return parts.handle(parsed as EndpointRequest<Path, Query, Body>, indexer)
    },
  }
}

/** The server checks this before anything else. */
function refuseUnknown({ query }: HttpRequest, known: readonly string[]): void {
  const unknown = [...query].filter(([name]) => !known.includes(name))
  if (unknown.length === 0) return
  const problems = unknown.map(([name, value]) => ({
    loc: ['query', name],
    msg: `Unknown query parameter in request: ${name}`,
    type: 'value_error',
    input: `${name}=${value}`,
    ctx: { available_parameters: known },
  }))
  throw refuse(422, problems)
}

function readBody<Body>(reader: Reader<Body>, { body, headers }: HttpRequest, problems: Problems): Body {
  if (body === '') return missing(['body'], problems)
  const isJson = (headers['content-type'] ?? 'application/json').includes('json')
  const value = isJson ? parse(body) : body
  return value === null ? missing(['body'], problems) : reader(value, ['body'], problems)
}

function parse(body: string): unknown {
  try {
    return parseJson(body)
  } catch (error) {
    if (!(error instanceof MalformedFrame)) throw error
    // Python's JSON parser accepts NaN, the server's other code does not
    if (/\bNaN\b/.test(body)) throw internalError()
    const problem = { error: 'Expecting value' }
    const entry = {
      type: 'json_invalid',
      loc: ['body', body.length],
      msg: 'JSON decode error',
      input: {},
      ctx: problem,
    }
    throw refuse(422, [entry])
  }
}
