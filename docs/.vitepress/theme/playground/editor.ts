import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { vue } from '@codemirror/lang-vue'
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { isComponent } from './is-component.js'

export interface EditorHandlers {
  /** The source after each change. */
  onChange(source: string): void
  /** Control or Command with Enter. */
  onRun(): void
}

export interface Editor {
  setSource(source: string): void
  destroy(): void
}

const languageOf = (source: string) => (isComponent(source) ? vue() : javascript({ typescript: true }))

/** An editor for a component or a module. The Tab key leaves it, so that it is no trap for the keyboard. */
export function createEditor(parent: Element, source: string, { onChange, onRun }: EditorHandlers): Editor {
  const language = new Compartment()
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: source,
      extensions: [
        keymap.of([{ key: 'Mod-Enter', run: () => (onRun(), true) }, ...defaultKeymap, ...historyKeymap]),
        history(),
        lineNumbers(),
        bracketMatching(),
        indentOnInput(),
        EditorView.lineWrapping,
        syntaxHighlighting(classHighlighter),
        language.of(languageOf(source)),
        EditorView.contentAttributes.of({ 'aria-label': 'Code' }),
        EditorView.updateListener.of(({ docChanged, state }) => docChanged && onChange(state.doc.toString())),
      ],
    }),
  })
  view.scrollDOM.tabIndex = 0 // scrolls by keys also where the text has no focus
  return {
    setSource: (next) =>
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: next },
        effects: language.reconfigure(languageOf(next)),
        selection: { anchor: 0 },
      }),
    destroy: () => view.destroy(),
  }
}
