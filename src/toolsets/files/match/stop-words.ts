import { foldCaseAndAccents } from './fold.ts';

/** The stop words of each language, which searches ignore. They are case-folded. */
const lists = [
  // English
  `a about above after again all also am an and any anyone anything are as at be because been before being between both but by can could
   did do does doing during each every few find for from further get give had has have having he her here hers him his how i if in
   into is it its itself just let list look looking me mine more most my need no nor not of off on once only or other our ours out over own
   please same search she should show so some such than that the their theirs them then there these they this those through to too under
   until up us very want was we were what when where which while who whom why will with would you your yours containing contains
   much many tell regarding related mentioning mentions says said called named written wrote where's what's something stuff thing things`,
  // German
  `aber alle allem allen aller alles als also am an ander andere auch auf aus bei beim bin bis bist da dabei damit dann das dass
   dein deine dem den denn der des dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer
   eines er es euch euer fur gib hab habe haben hat hatte hier ich ihm ihn ihnen ihr ihre im in ins ist ja jede jedem jeden jeder jedes
   kann kein keine konnen konnte mein meine meinem meinen meiner meines mich mir mit muss nach nicht noch nur ob oder ohne sehr sein seine sich sie sind
   so soll suche suchen liste wann viel viele uber um und uns unser unsere unter vom von vor war waren was weil welche welcher welches wenn wer werden wie wir wird wo
   wurde wurden zeig zeige zu zum zur zwischen`,
  // Spanish
  `al algo ante antes aqui como con cual cuando cuanto cuanta cuantos cuantas de del desde donde dos el ella ellas ellos en entre era es esa esas ese eso esos esta estaba
   estan estas este esto estos fue ha hasta hay la las le les lo los mas me mi mis muestra muy nada ni nos nosotros o otra otro para pero
   por porque que quien se ser si sin sobre son su sus tambien te tengo tiene todo todos tu tus un una uno unos y ya yo lista busca buscar encuentra`,
  // French
  `au aux avec ce ces cette chez comme dans de des donc du elle en est et etait eux il ils je la le les leur leurs lui ma mais me mes
   moi mon ne nos notre nous on ou par pas pour quand combien liste qu que qui sa sans se ses son sont sur ta te tes toi ton tu un une vos votre vous cherche trouve`,
  // The following stop words are Italian, Portuguese and Dutch.
  `che chi ci con cui da dal dalla degli dei del della delle di e gli ho il io la le lei lo loro lui ma mi mia mio nei nel nella non o per piu
   quale questa questo se si sono su sua suo sul sulla ti tra tu un una uno
   ao aos as com da das de do dos ela ele em essa esse esta este eu foi isso ja mais mas me meu minha na nas nao no nos o os ou para pela pelo
   por que se sem ser seu sua tem um uma
   aan als bij dat de deze die dit door een en er haar had heb hebben heeft hem het hij hoe hun ik in is je kan maar me met mijn naar niet nog of
   om onder ons ook op over te tot uit van voor waar was wat we wel werd wie wij worden zal ze zich zijn zo`,
  // The following stop words are Chinese and Japanese particles, question words, and verbs of a request such as "find".
  `的 了 和 是 在 与 及 或 我 你 他 她 它 我们 请 找 查找 搜索 一个 这个 那个 关于 有关 里 中 个 吗 呢 什么 什么时候 哪个 哪些 哪里 哪儿 怎么 怎样 如何 多少 几点 为什么
   の は を に が と で も や へ から まで より など です ます でした ました する した して ください について に関する という ある いる この その あの いつ どこ 何 誰`,
];

const stopWords: ReadonlySet<string> = new Set(foldCaseAndAccents(lists.join(' ')).split(' '));

export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

/** These particles and question words separate two words of Chinese text, which has no spaces. */
const hanSeparators = /[的了和与及或是在吗呢]|关于|有关|什么时候|为什么|什么|哪[个些里儿]|怎[么样]|如何|多少|几点/u;

/** Splits a Chinese word at particles. Returns the whole word if it consists only of particles. */
export function splitAtParticles(word: string): string[] {
  const pieces = word.split(hanSeparators).filter(piece => piece !== '');
  return pieces.length === 0 ? [word] : pieces;
}
