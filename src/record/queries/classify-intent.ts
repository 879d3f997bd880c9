// Classifies a query by its words: cues for data (tables, counts, sums, "top 5") and cues for talk (greetings,
// explanations, opinions, writing), in several languages. Cues of both kinds make it hybrid. A short query without any
// cue continues the previous intent. The result is deterministic.

import type { Intent } from '../../domain/page.ts'
import { indexableWords } from '../../domain/words.ts'

interface ClassifiedQuery {
  readonly query: string
  readonly sql: string | null
}

/** A longer text without cues does not continue the previous query. */
const FOLLOW_UP_WORDS = 8
/** In a long text, the question is at the start or the end, around pasted content. */
const READ_CHARACTERS_PER_END = 500

/** SQL, column names, comparisons and "top 5" mean data in every language. */
const PLAIN_DATA =
  /\bselect\b.+\bfrom\b|\b[a-z]+_[a-z_]+\b|\b\w+\.\w+\s*[<>=]|[<>]=?\s*\d|\btop[ -]\d|\b\d+ (?:best|worst|most|least)\b/is

/** The intent of a query, given the previous intent. */
export function classifyIntent({ query, sql }: ClassifiedQuery, previous: Intent | undefined): Intent {
  const text = toEnds(query)
  const words = indexableWords(text)
  const { isData, isTalk, isReason } = readCues(words, sql !== null || PLAIN_DATA.test(text))
  if (isData) return isTalk ? 'hybrid' : 'data_query'
  const isFollowUp = words.split(' ').length <= FOLLOW_UP_WORDS && previous !== undefined
  if (!isFollowUp) return 'general_chat'
  if (isReason && previous === 'data_query') return 'hybrid'
  return isTalk && !isReason ? 'general_chat' : previous
}

interface Cues {
  readonly isData: boolean
  readonly isTalk: boolean
  readonly isReason: boolean
}

function readCues(words: string, isPlainData: boolean): Cues {
  const has = (cue: keyof typeof CUES) => CUES[cue].test(` ${words} `)
  // "What is a median?" asks for a definition, not for a figure.
  if (!isPlainData && has('meaning') && !has('request'))
    return { isData: false, isTalk: true, isReason: false }
  const isReason = has('reason')
  const isTalk = isReason || has('talk')
  const isData = isPlainData || has('data') || ((isReason || !isTalk) && has('subject'))
  return { isData, isTalk, isReason }
}

function toEnds(text: string): string {
  if (text.length <= 2 * READ_CHARACTERS_PER_END) return text
  return `${text.slice(0, READ_CHARACTERS_PER_END)} ${text.slice(-READ_CHARACTERS_PER_END)}`
}

// The cues of each intent. Folded as in words.ts and matched whole, or, with a star, as the
// beginning of a word. English, German, French, Spanish, Portuguese, Italian, and the plainest of Chinese and
// Japanese.

/** Figures, rows, tables and pictures of them. */
const DATA = `
how many, how much, how often, number of, count, counts, sum, sums, total, totals, average, averages, avg, median,
percentage, percent, ratio, rate, highest, lowest, largest, smallest, maximum, minimum, max, min, most expensive,
cheapest, top one, group by, grouped by, sort, sorted, order by, ordered by, descending, ascending, table, tables,
column, columns, row, rows, dataset, spreadsheet, csv, sql, database, chart*, plot, plots, graph, histogram,
break down, breakdown, per day, per month, per year, by month, by day, by year, by region, by country, by category,
over time, best selling, duplicate*, distinct, unique, filter, list all, list the, show all, show me all,
show me the, show the, calculate, numbers for, more than others, trend*, data, compare q*,
wie viel*, anzahl, summe, gesamt*, durchschnitt*, prozent*, hochste*, niedrigste*, meisten, tabelle*, spalte*,
zeile*, diagramm*, pro monat, pro kunde, pro tag, pro land, pro jahr, nach monat, sortier*, liste, zeige mir die,
zeig mir die, zeige die, umsatzstark*,
combien, nombre de, somme, moyenne, pourcentage, maximum, minimum, tableau*, colonne*, ligne*, graphique*, par mois,
par jour, par region, par client, par pays, montre*, affiche*, le plus, les plus, meilleurs,
cuantos, cuantas, cuanto, numero de, suma, promedio, porcentaje, tabla, tablas, columna*, fila, filas, grafico*,
por mes, por region, por cliente, por categoria, por dia, por pais, muestra*, mas ventas, mejores, media de,
quantos, quantas, quanto, soma, porcentagem, tabela*, coluna*, linha, linhas, mostra*, por regiao, maior, menor,
quanti, quante, quanta, numero di, somma, percentuale, tabella, tabelle, colonna, colonne, riga, righe, per mese,
per cliente, per regione, la media, mostrami, primi,
多少, 几个, 平均, 总数, 总计, 总和, 最高, 最低, 最多, 最少, 排序, 表格, 图表, 按地区, 按月, 显示,
いくら, いくつ, 何件, 何人, 平均, 合計, 最大, 最小, 表示, 一覧, グラフ`

/** What data is mostly about. Alone it asks for data; beside talk it does not. */
const SUBJECT = `
revenue*, sales, sold, sell, sells, order, orders, ordered, customer*, client*, user, users, product*, invoice*,
payment*, transaction*, expense*, cost*, spend, spent, profit*, margin, budget*, inventory, stock, salary, salaries,
employee*, earn, signup*, sign ups, churn*, conversion*, visit*, ticket*, complaint*, deliver*, shipment*, returns,
supplier*, warehouse*, survey, quarter*, q1, q2, q3, q4, yesterday s, record*, results, null, nulls, status,
umsatz*, bestellung*, kunde*, verkauf*, kosten, gewinn*, rechnung*, nutzer, ausgaben, lieferung*,
vente*, vendu*, vendeur*, commande*, chiffre d affaires, facture*, depense*, revenu*,
ventas, pedido*, cliente*, ingresos, factura*, gasto*, producto*,
vendas, receita*, despesa*, fatura*, encomenda*, produto*,
fatturato, ordini, clienti, vendite, spese, fattur*, prodott*,
销售, 销量, 订单, 客户, 收入, 利润, 売上, 注文, 顧客, 利益`

/** Said to a person: greetings, thanks, opinions, advice, writing, explaining. */
const TALK = `
hello, hi, hey, good morning, good evening, good afternoon, good night, bye, goodbye, see you, nice to meet,
how are you, thanks, thank you, sorry, please help, who are you, what can you do, your name, my name, joke, poem,
story, explain*, describe, what do you think, what you think, your opinion, opinion, advice, advise,
suggest*, should i, what should, tell me about, help me, can you help, is that good,
is it better, better to, write, rewrite, rephrase, draft, translate, comment on, more formal, essay, letter, email to,
how do i, how should, how does, how can i, ideas, define, i feel, i am, i m, you are, what is your, what s your,
what do these, what does this,
hallo, guten morgen, guten tag, guten abend, servus, danke*, tschuss, wie geht, erklar*, was haltst, was meinst,
was denkst, meinung, empfehl*, rat, soll ich, sollen wir, sollten wir, schreib*, ubersetz*, gedicht, witz, hilf mir,
kannst du mir,
bonjour, salut, bonsoir, merci, au revoir, comment ca va, expliqu*, que penses tu, que pensez, ton avis, votre avis,
conseil*, recommand*, devrais je, ecri*, tradui*, poeme, blague, aide moi, peux tu,
hola, buenos dias, buenas tardes, buenas noches, gracias, adios, que tal, como estas, explic*, que opinas,
que piensas, consejo*, recomiend*, recomenda*, deberia, escrib*, traduc*, poema, chiste, ayuda, ayudame,
ola, bom dia, boa tarde, boa noite, obrigad*, tudo bem, o que achas, o que voce acha, conselho*, devo, escreve*,
traduz*, piada, ajuda*, ajudar*,
ciao, buongiorno, buonasera, grazie, come stai, come va, spieg*, che ne pensi, cosa ne pensi, consigli*,
raccomand*, dovrei, dovremmo, scriv*, traduci*, poesia, barzelletta, aiut*,
你好, 您好, 谢谢, 再见, 早上好, 解释, 建议, 你觉得, 怎么看, 翻译, 写一, 笑话, 你是谁,
こんにちは, おはよう, ありがとう, さようなら, 説明, どう思, 翻訳, 教えて`

/** Asks for a reason or a judgement; of data, that needs both. */
const REASON = `
why, reason*, cause*, explains, what changed, how come, interpret, recommend*, should we, would you, mean for, do about,
warum, wieso, weshalb, grund, pourquoi, raison*, por que, razon*, motivo*, perche, 为什么, 为何, なぜ, どうして`

/** Asks what a word means or how a thing works. */
const MEANING = `
what is a, what is an, what are the differences, difference between, meaning of, what does, stand for, stands for,
explain what, explain how, describe how, define, definition of, how does, what is machine,
was bedeutet, was ist ein, was ist eine, erklare mir, erklaren was, unterschied zwischen,
qu est ce qu*, explique moi ce, que signifie, difference entre, c est quoi,
que es un, que es una, que significa, diferencia entre, explicame que,
o que e um, o que e uma, o que significa, explica o que, diferenca entre,
che cos e, cosa significa, che cosa e, differenza tra,
是什么意思, 什么是, とは何`

/** Asks for data outright, whatever else is asked. */
const REQUEST = `
how many, how much, number of, show, list, plot, count, total, top, give me the, find, our, we, in the table,
in the file, last week, last month, last year`

/** One expression for a list of cues, for a text of folded words with a space at either end. */
function toExpression(cues: string): RegExp {
  const patterns = cues
    .split(',')
    .map((cue) => cue.trim())
    .filter((cue) => cue !== '')
    .map((cue) => indexableWords(cue) + (cue.endsWith('*') ? '\\S*' : ''))
  return new RegExp(` (?:${patterns.join('|')}) `, 'u')
}

const CUES: Readonly<Record<'data' | 'subject' | 'talk' | 'reason' | 'meaning' | 'request', RegExp>> = {
  data: toExpression(DATA),
  subject: toExpression(SUBJECT),
  talk: toExpression(TALK),
  reason: toExpression(REASON),
  meaning: toExpression(MEANING),
  request: toExpression(REQUEST),
}
