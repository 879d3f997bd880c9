// Completion scripts. On every Tab they call `recollect complete-words`, which prints a word, a tab and a description per
// line. If it prints nothing, the shell completes file names.

export type Shell = 'bash' | 'zsh' | 'fish'

const BASH = `_recollect() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("$1" complete-words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _recollect recollect
`

const ZSH = `#compdef recollect
_recollect() {
  local line
  local -a described
  for line in "\${(@f)$("$words[1]" complete-words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( $#described )); then
    _describe recollect described
  else
    _files
  fi
}
compdef _recollect recollect
`

const FISH = `function __recollect_words
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l found ($before[1] complete-words -- $before[2..-1] "$current" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c recollect -f -a '(__recollect_words)'
`

export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH }
