// Programs drawn by seed: draw(7) -> source. They print what they compute; every construct of the language that
// the tracer rewrites can stand in any other.
function rng(seed){let s=seed>>>0||1;return()=>{s^=s<<13;s>>>=0;s^=s>>>17;s^=s<<5;s>>>=0;return s/4294967296}}
function draw(seed){
  const r=rng(seed*7919+1);for(let i=0;i<5;i++)r();
  const pick=a=>a[Math.floor(r()*a.length)],n=k=>Math.floor(r()*k);
  let vars=['a','b','c'],depth=0,fn=0,inGen=false,inAsync=false,loop=0,uid=0;
  const lit=()=>pick(['0','1','-1','2.5','NaN','-0',"'x'","'ab'",'true','null','undefined','10n','[1,2,3]','{k:1}','[]','new Map([[1,2]])','new Set([1])','/a/g','[,1]']);
  function ex(d=0){ if(d>2)return r()<.5?pick(vars):lit();
    switch(n(22)){
      case 0:return `(${ex(d+1)} ${pick(['===','==','<','&&','||','??','in0'].filter(x=>x!=='in0'))} ${ex(d+1)})`;
      case 1:return `S(${ex(d+1)})+S(${ex(d+1)})`;
      case 2:return `(${ex(d+1)} ? ${ex(d+1)} : ${ex(d+1)})`;
      case 3:return `[${ex(d+1)}, ...L(${ex(d+1)})]`;
      case 4:return `{p: ${ex(d+1)}, ['q'+${n(3)}]: ${ex(d+1)}, ...(O(${ex(d+1)}))}`.replace(/^/,'(').replace(/$/,')');
      case 5:return `L(${ex(d+1)}).map((${v()}) => ${ex(d+1)})`.replace(/^(.*)$/s,(m)=>m);
      case 6:return `L(${ex(d+1)}).sort((x, y) => S(x) < S(y) ? -1 : 1)`;
      case 7:return `${pick(vars)}?.p?.[${ex(d+1)}]`;
      case 8:return `L(${pick(vars)}).push(${ex(d+1)})`;
      case 9:return `(${pick(['a','b','c'])} = ${ex(d+1)})`;
      case 10:return `E(() => ${ex(d+1)})`;
      case 11:return `(function () { ${stmts(1,d+1)} return ${ex(d+1)}; })()`;
      case 12:return `[...gen(${ex(d+1)})]`;
      case 13:return `new P(${ex(d+1)}).total`;
      case 14:return '`${S('+ex(d+1)+')}-`';
      case 15:return `Object.keys(O(${ex(d+1)}))`;
      case 16:return `typeof ${ex(d+1)}`;
      case 17:return `tag\`a\${${ex(d+1)}}b\``;
      case 18:return `L(${pick(vars)}).splice(0, 1, ${ex(d+1)})`;
      default:return r()<.6?pick(vars):lit(); } }
  function v(){const x='v'+(uid++);return x;}
  function withv(x,f){const old=vars;vars=[...vars,x];const s=f();vars=old;return s;}
  function stmts(k,d){ const old=vars; let s=''; for(let i=0;i<k;i++)s+=stmt(d)+'\n'; vars=old; return s; }
  function stmt(d){ if(d>3)return `out(${ex(1)});`;
    switch(n(24)){
      case 0:{const x=v(),e=ex();const kw=pick(['let','const','var']);const s=`${kw} ${x} = ${e};`;if(kw!=='const')vars=[...vars,x];return s;}
      case 1:return `if (${ex()}) {\n${stmts(1+n(2),d+1)}} else ${stmt1(d+1)}`;
      case 2:{const x=v();return withv('a',()=>`for (let ${x} = 0; ${x} < ${1+n(3)}; ${x}++) {\n${stmts(1+n(2),d+1)}${r()<.3?`if (${x} === 1) ${pick(['break','continue'])};\n`:''}}`);}
      case 3:{const x=v();return `for (const ${x} of L(${ex()})) {\n${withv(x,()=>stmts(1,d+1)).replaceAll(`(${x} = `,`(a = `)}}`;}
      case 4:{const x=v();return `for (const ${x} in O(${ex()})) out(${x});`;}
      case 5:return `try {\n${stmts(1,d+1)}${r()<.5?`throw ${ex()};\n`:''}} catch (er) {\nout(S(er));\n} ${r()<.6?`finally {\n${stmts(1,d+1)}}`:''}`;
      case 6:return `switch (${ex()}) { case ${lit()}: ${stmt1(d+1)} ${r()<.5?'break;':''} case 1: out(1); default: ${stmt1(d+1)} }`;
      case 7:{const l='lab'+(uid++);return `${l}: for (;;) { for (;;) { ${stmt1(d+1)} break ${l}; } }`;}
      case 8:{const x=v(),y=v();const s=`let [${x}, ${y} = ${lit()}] = L(${ex()});`;vars=[...vars,x,y];return s;}
      case 9:{const x=v();const s=`let {p: ${x} = ${lit()}, ...rest${uid++}} = O(${ex()});`;vars=[...vars,x];return s;}
      case 10:return `O(${pick(vars)}).p = ${ex()};`;
      case 11:return `L(${pick(vars)})[${n(3)}] = ${ex()};`;
      case 12:{let i=v();return `{ let ${i} = 0; while (${i}++ < ${1+n(3)}) { ${stmt1(d+1)} } }`;}
      case 13:{let i=v();return `{ let ${i} = 0; do ${stmt1(d+1)} while (++${i} < 2); }`;}
      case 14:return `[a, b] = [b, ${ex()}];`;
      case 15:return `jobs.push((async () => { ${stmt1(d+1)} await null; out('async' + S(${ex()})); for await (const z of [1, Promise.resolve(2)]) out(z); })());`;
      case 16:return `setTimeout(() => { ${stmt1(d+1)} }, ${n(5)});`;
      case 17:return `delete O(${pick(vars)}).p;`;
      case 18:return `fns.push(() => ${ex()});`;
      case 19:return `out(fns.map((f) => S(E(f))).join());`;
      case 20:return `${pick(['a','b','c'])} ${pick(['+=','??=','||='])} ${pick(["'z'",'null'])};`;
      default:return `out(S(${ex()}));`; } }
  function stmt1(d){ return `{ ${stmts(1,d)} }`; }
  const head=`const log = []; const jobs = []; const fns = []; let budget = 3000;
function out(v) { if (--budget > 0) console.log(S(v)); }
function S(v) { try { return typeof v === 'bigint' ? v + 'n' : Object.is(v, -0) ? '-0' : v instanceof Map ? 'Map' + S([...v]) : v instanceof Set ? 'Set' + S([...v]) : v instanceof Error ? v.name + v.message : typeof v === 'function' ? 'fn' : typeof v === 'symbol' ? 'sym' : (JSON.stringify(v, (k, x) => typeof x === 'bigint' ? x + 'n' : x) ?? 'undefined').slice(0, 200); } catch (e) { return 'cyc'; } }
function L(v) { return Array.isArray(v) ? (v.length > 6 ? v.slice(0, 6) : v) : [v]; }
function O(v) { return typeof v === 'object' && v !== null && !(v instanceof RegExp) ? v : {p: v}; }
function E(f) { if (--budget < 0) return 0; try { return f(); } catch (e) { return 'E' + S(e); } }
function tag(s, ...v) { return s.join('|') + v.map(S).join(); }
function* gen(v) { try { const got = yield v; yield* L(v); yield got; } finally { out('fin'); } }
class B0 { constructor(v) { this.v = v; } get total() { return S(this.v) + this.extra(); } extra() { return '.'; } }
class P extends B0 { static made = 0; #n = 1; constructor(v) { super(v); P.made++; this.#n += 1; } extra() { return super.extra() + this.#n; } }
`;
  return head+`let a = ${lit()}, b = ${lit()}, c = ${lit()};\nfunction main() {\n${stmts(6+n(6),0)}}\ntry { main(); } catch (e) { out('main ' + S(e)); }\nPromise.allSettled(jobs).then((r) => out(r.map((x) => x.status + S(x.value ?? x.reason)).join()));\n`;
}
