"""The weights of `assertion.py`, in hundredths, by region; written by `benchmarks/assertion.py`."""

KNOWN = frozenset(
    r"""0 1 12 2 20 3 4 a abando able about above absolu abstai absurd accept accord accoun accura actual add added
    admiss admit adopt adopte advoca affirm afraid after afterw again agains ago agree agrees ahead alas all allege
    allow almost alone along alread also altern althou always am amende among an and ann announ anothe answer any
    anybod anyone anythi apart apolog appeal appear applie approv archiv are argue argued argume around arrive articl
    as aside ask asked asking asks assert assist associ assume astoni at attest attrib authen author avoid away b back
    backed backgr backs backwa bad bait balanc ballot be bear bears beats became becaus been before behind being
    belief believ belong beside best bet better betwee beyond bingo blank bluff blunde bogus book bot both bottom box
    breaks bring brings broken brothe brough but by c call called calls came camp can candid cannot capita carefu
    carele carrie case cases catch catego cause certai cf challe champi chance change chapte check checke checki
    checks choice choose chosen cigar cited claim claime claims clarif clash class clause clear clearl close closer
    clue clues coin coinci cold collap collea come comes commen commit common compar compel comple conced conclu
    concur condit confes confid confir confla confli confus connec consen consid consis consul contai contem conten
    contes contex contra convin copied copy correc corrob could counse count counte counts course cover credit criter
    critic cross crosse culpri curren cut dark data date dates day days dead deal dear debate debunk decade decide
    decisi declar declin decoy defaul defeat defend defini delete delibe demand denied deny denyin depend descri
    deserv design despit detail determ did differ digres disagr disapp discar discus dismis disown dispro disput
    disqua disreg distan distin distra do docume does done door double doubt doubtf doubts down dr draft drop droppe
    drops due e each earlie early easily easy eat eclips edges edit editio editor either elimin else embrac empty
    encycl end ended endors ends enough enter entere entire entry erased erratu errone error establ even event eventu
    ever every everyb everyo everyt eviden exactl examin exampl except exclud expect expert explai explan face fact
    facts fail failed fails fall falls false fame famili famous fans far fatal favor favore favori favors favour
    featur fell few field figure fill filled final finall find findin finish first fit fits five fly folklo follow
    fool foot footno for forbid foreru forget forgot format former forwar found four freque friend from full fully
    furthe gather gave genera genuin get gets give given gives giving glad glance go goes going gold gone good got
    grader grante great ground guess guesse guessi gut ha had half halluc hand handbo happen happy hard hardly has hat
    have having he head heads hear heard hearsa held hello help helps hence her here here's hereby herrin hesita high
    highly hint hints histor hit hits hmm hoax hold holds honest honora hope hoped host house how howeve human hunch
    hypoth i i'd i'll i'm i've idea identi if ignore imagin implau imposs impost in inaccu inadmi inclin includ incorr
    indeed indepe inform initia inquir insert insist inspec inspir instea intend intere into invali invent involv
    irrele is issue it it's item its itself joke jury just keep keeps kept key kiddin kindly know knowle known knows
    label lacks landed larges last late later latter lead leads learne least leave leaves leavin led left legend
    length less lesser let let's letter lies like likeli likely likewi line link list listed lists litera little live
    lock lol long longer look looked lookin looks lookup loosel lose loses lost lot low lying made main mainta majori
    make makes making many map margin mark marked marks match matche matter may maybe me mean means meant meets memory
    mentio mere merely messag met method might mind mine minute misatt miscon mislea mispri misrea miss misses missin
    misspo mistak mix mixed model moment money more most motion moved much must my myself myth nah name named namely
    names naming narrow natura near nearly necess need needed needs neighb neithe never nevert new newer next nice
    nine no nobody nod nomina none noneth nonsen nope nor not note notes nothin notice notwit now nowada nowher null
    object obviou odds of off offer offici often oh ok okay old older on once one ones only oops open opinio oppose
    opposi option or order origin other others otherw ought our ours out outcom outdat output outset outwei over
    overlo overru oversh overtu own p page panel paper paragr part partly pass passag passed passes passin past pencil
    pendin people perfec perhap period persis person persua phrase pick picked pigs place plain plainl plausi played
    please plenty plus point points poll popula positi possib post preced precis predec predic prefer premis presen
    press presse presum preten prevai previo print printe prints prize probab profes prompt proof proper propos proved
    proven pupil purpos put puzzle q qualif quarre queen questi quite quiz quote ran rankin rarely rather reach read
    reader readin reads real realit really reason rebutt recall recent reckon recogn record recoun red refere refers
    reflec refuse refute regard regret reject relate releva reliab rely remain remark rememb remind remove repeat
    replac reply report requir reread resear resemb reserv resist resolv respec respon rest restor rests result retrac
    return review revise revisi riddle right rightl rival role room round row rule ruled rules ruling rumor run runner
    runnin runs s sadly safe said same sample satisf save saw say saying says scarce schola score scratc scruti search
    second see seem seemed seems seen select sense senten separa sequel seriou serves set settin settle severa shall
    share shares she sheet shook short shortl should shoute show showed shows side sides sign signs silly silver
    simila simple simply since single sits skepti skip slip slippe small so sober sole solid soluti some somebo someon
    someth someti somewh sooner sorry sound sounds source speak speaki speaks specia specif specul split spot spurio
    square stage stake stand standa standi stands start starte stated statem status stay step stick still stood stop
    stoppe story straig strict strike string strong struck studen subjec submit substi succes such suffic sugges suits
    summar supers suppor suppos sure surely surfac surpri survey surviv suspec sustai swap swear swears switch table
    tails take taken takes taking talk tally taught tbh teache tell tellin tempte tempti ten test testif testim text
    textbo than thank thanks that that's the their them then theory there there' theref these they they'r thing things
    think thinki third this those though three throug thrown thus tie time times title tl to today togeth told tongue
    too took top topic torn toss toward toyed trace tradit trap trick tried trivia true trust truth try turn turned
    turns twice two type typed typo unanim unansw uncert undeci under unders undoub unfort unknow unless unlike unprov
    unrela unreli unsure untena until untrue up update upheld upon us use used user usual usuall valid value verdic
    verifi verify versio very veto view void vote voted votes vouch wager wait walk want wanted wantin wants was water
    way we weak weaker websit week weighe welcom well went were what what's whatev when where wherea whethe which
    whiche while who whoeve whole whom whose why wide widely wikipe will winner wins wish with withdr withou witnes
    won wonder word wordin work workin works world worry worth would write writes writin writte wrong wrongl wrote x
    yeah year years yep yes yester yet yields you you'd you'll you're you've younge your yours zero""".split()
)
REGIONS = {
    "a": r"""\n-37 "+28 (+119 )-41 *+2 +-126 ,-48 .-70 /+53 :-77 ;-13 =-273 ?-189 O+71 W-151 X-56 a+54 about+33
    absurd+61 accept+76 actual-99 afraid-353 afterw-21 agains-39 all-15 along-12 also+54 always-120 am-92 and+26
    answer-50 any-25 anythi-96 archiv-106 are+186 around+168 as+86 asked-227 asking-144 assist+11 b+18 back-257 be-3
    becaus+154 been+18 before+12 better-5 breaks+51 by+3 came+42 can+185 cannot-77 certai+67 check-186 claim+79
    clue-29 conclu-109 condit-12 confir+16 consid-57 consis+222 contra+58 convin-7 could-134 count+80 counte+66
    dates-53 decisi-63 differ+144 do+49 docume-77 does-123 doubt-111 each-10 else+207 every+44 everyb+242 everyo-170
    everyt+71 eviden-39 expect+10 fact-3 false+141 favour-97 final-182 first+70 fit+164 fits+157 for+71 forget+91
    found-6 friend-32 from+43 full+16 furthe+60 genera-60 glad+42 go+48 gone+41 got+47 had+82 hand-217 have-119 he+95
    head-89 host-42 i-60 i'd+16 i'm+32 in+96 includ+89 indeed+75 into+65 is+47 it+79 it's+159 just-62 keep+35 kept+57
    key-37 know+52 known+41 knows-32 last-73 leads-90 line-52 look-56 looked-58 lost-147 majori-118 matche-223
    matter-25 most+58 motion-124 much+29 my+31 myself-10 narrow-219 neithe-16 never+49 no-74 nobody-97 none-6 nope-111
    not-21 notes+19 now-8 object+18 obviou-77 of-12 often+274 on+69 one-19 open-54 or+126 origin+28 other+82 others+46
    output-91 over+71 pass-53 people+92 proper-114 put+65 questi-114 reader+19 realit-132 reason-85 record-126
    regret-75 relate+116 reply-17 resear-58 respon-173 result-235 right+111 room-119 said-112 say-58 says+25
    scratc-186 second+31 see+202 seriou-80 she-67 should-3 shows-48 so-3 soluti-104 someth-226 sorry-164 source+87
    stand+66 step-28 stick+78 still-46 strike-22 submit-24 take-101 teache+151 tell-135 that+26 that's+302 their+238
    them-68 then-33 there-43 these-75 thing+21 think-115 this-62 those-205 though-126 three+230 time+43 to+28 true+272
    truth-62 two-204 up-39 used+30 usuall+68 want-266 was+25 way-32 well+59 were+9 what-135 which-8 while+96
    whoeve+131 winner-116 with-6 won+210 works-18 would+45 write+33 wrong-156 x-89 yep+257 yes+341 you+63 you're+90
    your-23""",
    "": r"""asks-104 bare+62 bare_rival-73 first-47 has_question+246 has_words-78 last+100 less+19 more+223
    rival_before+49 rival_behind-89 rival_earlier-83 rivals_1+53 rivals_2+11 rivals_3+67 twice+70 unknown_1+131
    unknown_2+98""",
    "b": r"""\n+19 "+13 #-28 )+33 ,+61 --75 .+71 :+3 ;+58 =+82 ?+281 O+127 W-69 X-65 a+65 accept-66 after-157 also-157
    and+7 anothe+75 answer-96 appear+104 asking-305 at+13 backgr+31 best-296 by+128 carefu-111 cf-133 confid-55
    descri-22 do+101 doubt+191 dr+19 during+203 e-46 entry-93 error+204 every-60 everyo+27 false+107 for+18 from+4
    gave+48 genera-44 given+20 go-52 goes-97 great-20 ground+45 had+17 has+122 have+167 here-86 i+50 i'll-54 i'm-113
    if-10 in+34 is+35 it's+21 last+25 lookin-37 may-53 me+112 mentio+57 moment+19 my-33 no+22 not+54 notes+94
    nothin+16 of+21 on-13 option-148 or+89 other+214 others+96 out-39 people-95 perhap-275 ran-294 right+214 s+25
    said+45 say+75 saying+154 severa+98 should-163 so-97 some+13 subjec+35 take-17 thanks+225 that+12 the+11 their+29
    they+300 think+121 three-96 throug-76 time-104 times-21 true-325 turn-284 two-61 unsure-46 up+39 verdic+18
    wager-43 want+70 was+78 were+106 what-91 which+28 with+44 wordin-113 would+133 write+27 yester+41 you+40 |+17""",
    "l": r"""#-101 &-38 (-137 )+86 ++190 ,+30 --84 /+253 :-40 =+156 O-90 R-70 W-29 X-32 ^+51 a-122 abando-130
    accept+17 actual+333 admit+83 after+114 again+251 ahead-30 allege-162 also-166 altern-246 althou-315 am+327
    amende+178 an-11 and+45 ann-180 announ-138 answer+117 anybod-59 anyone-21 apolog-139 are+69 arrive+70 as+44
    aside+7 ask+121 asked+151 at+104 attest+79 attrib-43 authen+219 avoid-19 away-66 b+153 back+166 bad-518 ballot+44
    be+69 beats-172 before-45 behind-143 being+39 belief+34 believ+164 belong+96 beside+92 best+6 betwee-156 beyond-92
    blunde+63 book+33 but+160 by-111 called-382 came-6 can+93 cannot-286 cases-186 challe-144 change-194 chapte-46
    check-89 checke+135 claim-86 clearl+120 close-138 clue+117 clues+25 coin+48 collea-390 come+340 comes+155
    commit+71 common-409 compar-98 conclu+277 confir-54 confla-39 confli-93 connec-118 consid-239 contes-123
    contex-158 contra+194 convin+194 correc+170 counte-31 cross-184 curren+123 dear-80 decide-113 decisi+19 declin-158
    defaul-137 defini+81 denyin+181 despit-301 did+131 differ-6 disput-20 disreg-69 distan-100 distra-378 do+180
    docume+96 does+102 done+76 doubt-31 down+46 dr+55 draft-266 drop-207 due+132 easy+52 eclips-82 edit-94 editor-283
    either+736 else-42 embrac+54 end+33 ended+417 ends+299 enough-55 entry-17 even-104 ever-77 every+47 everyb-171
    everyo-24 everyt-7 exclud-212 expect-79 face-41 fact+23 fail-6 fall-149 false-219 far-34 featur+232 final+63
    finall+328 first-188 fits+307 five+507 fly-21 folklo-94 follow+91 footno-99 for-59 former-166 found+66 genera+312
    get+341 given-139 gives+38 go+94 gold+28 grader-267 guess-189 guesse+227 ha-31 had-13 happen+55 happy+184
    hardly+116 has+18 having-123 he+26 heads+4 here+53 hesita+5 highly-50 hold+182 hoped-72 house+126 i+12 i'd+72
    i'll+58 i'm-17 identi+75 if+150 ignore-4 in-56 inclin+28 includ-124 incorr-309 initia-46 inquir+248 insist-213
    inspir-232 into-17 involv-387 is+80 it+29 it's+53 item+69 its-49 jury+139 kindly+182 knowle+228 known-9 label+76
    last+43 lead+15 leave-63 leaves+26 legend-104 lesser-230 let-51 let's+79 lies+42 like+38 line+224 listed-160
    little-122 live+138 lock+68 lol-190 long-247 longer-74 look+34 lookin+18 loosel-92 lost+43 mainta+199 make+3
    many-93 mark+36 marks+64 match-82 matche+41 may-98 maybe-287 mentio-250 might-225 mind+154 mine-13 miscon-93
    mispri+62 mistak-212 mix-73 mixed-191 money-71 moved+33 much-87 my-36 myth+43 nah-85 name-6 namely+34 near-266
    nearly-94 neighb-184 neithe-262 never-168 newer+116 next-237 no+23 nobody-229 nomina+155 none+59 not+20 note-130
    notes-10 nothin-53 notice+63 notwit-47 now+198 object-15 of-66 offici+180 often-218 oh-159 old-315 on+43 once-226
    one+150 ones+122 only+160 oops+13 opposi-256 option+239 or+445 order-101 other-44 others-159 out+57 output+96
    outwei-301 over-23 oversh-63 panel-57 people-113 pick+324 picked+167 place+21 played-38 please-32 point+260
    points+62 popula-349 possib-117 preced-34 presse-80 preten-77 previo-453 prints-75 profes-43 proper+123 proved+47
    purpos+10 put+95 qualif-162 questi+125 reader-20 readin-22 real+15 realit+275 refuse-91 regret-84 reject-326
    relate-78 rememb+105 remind-143 remove-25 report+144 reserv+33 resolv-73 respec-127 result+71 revise-67 right+34
    room+63 rules-72 rumor-286 runner-349 s-369 sadly-57 sample-156 say-159 schola+170 scratc+25 see-38 seem+19
    seems-365 seen-16 select+30 seriou+98 settle+83 short+46 shortl-88 should+149 shows+218 side+63 sides+227
    skepti-167 skip-13 so+59 soluti+82 some-237 somebo-48 someon-26 someth-326 someti-4 somewh-67 sounds+38 source-101
    speaki+11 specif-294 stake-126 standa+26 stands+116 still-128 straig+141 strike-25 strong+50 struck+11 studen-10
    submit+265 substi+205 such-6 sure+88 take+18 takes+189 tempte-62 tempti-9 testif+59 text+63 than-272 that-120
    the-33 them-32 then+102 theory-16 there+132 theref+120 these+190 they-22 things-83 think-128 this+11 though+105
    three-166 time+21 to-25 today+87 told-26 top-93 torn-220 toss+108 true-187 turns+55 under-75 unders+27 unrela-67
    until+53 upon+31 used-95 veto-10 voted-125 wait+164 wants+219 was+97 way-345 we+66 well+73 went+9 what+51
    whatev-55 when-3 which-40 while-71 whose-244 wikipe-4 wish-108 withdr-199 withou-104 witnes+159 won-132 wonder+113
    world-62 worry+283 worth+19 would-111 write+89 wrong-350 wrongl-296 wrote-78 x+406 yester-66 yet+92 yields+284
    you-54 you're-23 you've+4 ~~+121 →+278""",
    "ll": r"""#+21 %+164 &-130 (+126 *+247 ,+34 -+153 :+95 =+24 >-89 O+217 R-64 W-11 X-71 a+199 about-185 above-208
    accept+190 accoun-17 affirm+143 after-358 agains-363 agree+72 allow-44 altern-247 always+16 among-194 an+118
    and-12 announ-306 answer-111 anythi-364 archiv+109 argume+29 as-124 ask-180 at-34 attest+58 attrib-78 author+38
    avoid-310 away-163 b-8 back-91 be+3 beats-243 been-26 before-130 believ+33 belong+534 beside+34 betwee-17
    beyond-35 both-119 brothe-397 by+149 called+37 certai+72 chance-287 choice+178 claim-117 claims-76 clear-97
    commit+116 compar-58 conclu+48 condit+3 confus+18 connec-365 contai-124 contra-481 correc+103 could-141 counte-72
    cross-6 crosse-88 declin-57 defeat-3 defini+56 delete-272 differ+91 discar-535 dismis-157 disreg-37 do-307 doubt-3
    doubts+91 due+94 earlie-192 either-612 elimin-218 else+506 embrac+15 end+292 endors+53 even-176 every+128
    everyb-202 everyo-103 eviden-53 except+222 exclud-316 expect-52 false-153 fame-83 favor+157 favors+43 favour+34
    find-135 fly-147 for+30 foreru-38 forget-263 from-285 furthe+266 gave-121 genera+38 get-123 give-72 go+54 goes+238
    going+131 guess+364 had-86 hardly-529 have-171 head+53 heard-96 held-93 here+69 hint-123 house+174 i+39 i'd+24
    i'll+61 i'm+36 if-347 ignore-107 in+46 initia-114 insert+22 inspir-47 instea-104 into-196 involv-171 is+45 it-29
    it's+80 just+32 key+103 know-76 last+327 later-4 left-61 like-171 likely+316 list-83 lock+112 long+95 longer-361
    look-76 lookin+123 made-19 make+70 makes+297 may+137 mean+135 means+43 meant+353 mentio-12 might-171 mistak-19
    more+16 much-227 my+24 myth+8 nah-50 name+17 named-56 narrow-35 natura-161 near-107 needed+37 never-346 new+209
    no+41 none-29 nor-146 not-367 now+49 obviou+101 of-36 off-205 old+46 on-27 opinio+244 oppose-377 option-153 or-432
    origin+19 other+423 others+256 out-148 over-244 overtu-79 past-358 people+27 place+49 points+82 preced-94
    prefer+23 presen+107 preten-220 prints-39 probab+179 q+47 questi-31 rather+259 read+359 readin-52 reads+99
    record+123 refers+108 regard-144 reject+269 relate-42 remain+151 remove-8 replac-390 reply+7 resemb-89 respon+4
    result+168 retrac-241 rule-44 said-47 say+84 says-34 scratc-394 second-85 see-159 select+95 senten-90 seriou+4
    settle+137 she+201 show-78 side+13 silver-290 simila-346 skip-73 so+164 some+148 sorry-93 stand+61 still+191
    strike-225 studen-192 such-190 sugges-23 supers-213 suppos-359 sure-115 surely+45 surpri+6 switch-18 talk-251
    teache-23 than-16 that+114 that's+41 the+46 them+12 then-109 theory-40 there'+37 they+145 thing+55 think+232
    thinki-53 this+65 though-31 thus+46 title-2 to-45 told-91 true-235 truth+363 two-228 under-17 unders+192
    unlike-327 up-120 use+199 used+58 user-163 veto-96 vouch+3 was-37 way+60 we-72 were-370 what-68 whatev-174
    whethe-474 whoeve+42 will+166 winner+69 with-106 withou-51 word+203 would+60 yeah+118 yes+206 yet+55 you+16
    you'd-211 your-64 yours-153 ❌-64""",
    "r": r"""\n-150 "+20 #-37 (+200 )-104 ,-68 --13 .-51 /+214 :-15 >+80 ?+265 O-8 R+56 W-33 X-7 ^+26 a-151 absurd-45
    accept+58 accoun-18 adopte+151 affirm+98 after+51 agains+60 ahead+309 almost-13 along+25 alread-93 also-16
    altern-84 am+77 an-164 and+78 anothe-142 answer+73 any+77 anythi-174 appear-121 are+26 as+20 aside-138 ask-112
    at-47 avoid+71 back-40 be+33 been-4 being-159 believ-158 beside-6 better+54 betwee+92 beyond+37 blank-113
    blunde-72 both+292 brothe+77 but-111 by+58 called-119 case+25 certai+36 cf+263 change+155 checke-57 checki-16
    checks+7 choice+33 claim-39 clue-15 collap-227 come-90 compar-92 conclu+2 confid+251 confir+31 confus+101
    consid-201 consis+44 contra-22 correc+97 could-42 counte-21 credit+193 cross+166 crosse-121 debunk-50 decide-44
    decoy-242 defeat+159 denied-298 deny+158 differ-111 disagr+105 disapp-221 discar-270 disput-99 disqua-85 distra-14
    docume+87 does+10 done-102 doubt+117 draft-189 droppe-10 each+155 earlie-182 edges+413 either+361 elimin-89
    else-46 enter+289 entry+49 error-141 even+62 everyt+13 exampl-11 exclud-104 failed-120 fails-301 fall+187
    falls-110 false-138 far+63 featur-5 final+39 first+2 fits+122 foot-383 footno+10 for-48 forwar-10 friend+15
    from-122 genuin+200 get-46 guess-55 had-48 half-488 hard-71 has-219 have-57 head+198 hearsa-103 hit+312 holds+170
    i+41 i'd-57 i've-40 if+46 in-69 inaccu-285 inadmi-87 inform+94 initia-72 instea+391 invali-40 invent-269 is-64
    issue-345 it's+189 itself+73 just+32 keep+30 keeps-202 key+115 known+86 lacks-158 last-189 later-169 lead+29
    leave-3 leaves-47 less-160 like+36 likely+135 list-90 longer-36 lookin-49 loses-35 lost-288 lot+70 low-267
    mainta-86 make+62 makes-25 matche+131 matter-92 maybe-321 me+7 meant+28 might-136 mind-102 mislea-339 misses-229
    mistak+58 model+19 money+59 more-46 most+5 moved+150 must-96 my+65 myth-3 natura+98 nearly-155 necess+116 need+105
    never+40 new-22 no-74 nobody+169 nod+308 nomina-94 none+7 nor-37 not-68 nothin-14 null-184 of+62 off-164 once+104
    one+99 only-25 option+56 or+58 other+131 out-139 outdat-83 overru-19 overtu-15 own-137 part-306 partly-520
    passes+137 perfec+220 pick+61 place+169 plain+280 points-159 prefer+112 presen-141 prevai+97 prize-73 proved+36
    proven+22 put-33 questi+104 quiz-168 rather-228 read+460 readin-110 recent-124 red-37 reject-147 relate-21
    replac-203 reply+16 requir+31 reserv-178 respec+170 respon+26 restor+14 result+80 right+88 rival-174 role-23
    ruled-113 runner-222 runnin-32 runs-6 said-114 same-21 satisf+36 say-91 says-176 second-52 select+147 sense+74
    seriou-124 set-126 settin-240 shall-608 shares-201 she-93 should-10 since+19 slip-442 small+139 so+35 soluti+112
    sounds+62 source-11 standa-46 starte-121 still+143 story-72 strong+177 subjec+345 sugges-76 surely+102 takes+184
    tell-35 tempti-137 test-20 than+205 that+39 that's+172 then-31 thing+22 think+297 third-47 those+169 though-33
    three-8 time-28 title-97 to+8 top+617 trap-229 true+66 truth+84 turns+235 two-179 type+26 unless+311 unlike-166
    unrela-351 unreli-19 until-155 up-65 upheld+95 use-14 used-79 verdic+21 want+6 wanted+20 wantin-245 was-171
    way-186 weaker-110 went-85 were-28 what-10 what's-34 whatev+30 when-65 where+209 wherea+148 while-3 who+169 why-70
    wide-191 will+9 with-23 withdr-233 won+52 works+41 wrong-176 yes+273 yester-307 yet-290 you+39 you'll-68
    you've-331 ~~-168 ✗-157 ❌-171""",
    "rr": r"""\n+18 "-57 #+148 %-48 (+125 )+139 ,+152 ->-81 .+109 :+4 ;+67 ?-362 O+22 R-64 W+86 X+35 a+27 absurd-149
    accura+136 alone+311 altern-54 an-52 and-58 answer-140 any+34 are-87 at+45 b+664 be-104 before-109 being+214
    beside-245 best+538 bogus-55 but-194 by-91 came-17 can-44 carrie+232 close-92 confid-109 confir+107 correc+75
    count-7 curren+93 defeat+9 did+214 disqua-25 distra-106 does+103 down+71 establ+85 every+160 exclud-185 fact+101
    final+39 follow+400 from+57 gets-62 give+64 goes-58 got-140 has+91 have-178 here-17 hits+93 hold-11 how+38 i-13
    i'm+217 in+56 includ-102 irrele-129 is+15 it+98 it's-222 its-7 just-92 keeps-62 later+55 least-116 leaves-170
    left+149 less-67 lies-21 long+237 loses-256 maybe-73 meant+69 mentio-112 merely-170 my+47 name-97 named+151 no+66
    nonsen-128 not-40 now-113 obviou+16 of+106 off-358 on+10 one-67 only-47 or-67 origin+73 others+314 out-33
    outdat-205 outwei+85 over+146 pass+103 period+19 place+42 possib+39 precis+45 prevai+138 proven+50 put-68
    rather+144 read-525 refute-183 resemb-78 respon+23 right+64 satisf+97 second-311 she-166 since+126 so-129 some-143
    spot+66 still+118 suppor-202 surviv+210 than+625 that+8 that's-178 the+79 there+53 this+34 to-41 too-150 true+178
    turns+60 under-10 unprov-46 untena-50 upheld+63 was+25 we-46 well-89 what+143 what's+398 whatev+104 which+170
    will-118 withou+20 won+17 works+47 would-185 wrongl-402 years+372 yes+533 you-94 ~~-335 ✓+49 ✗-4 ❌-51""",
    "s": r"""\n+93 "+140 #+114 %-162 &-49 '+78 (+7 )+37 ++213 ,-25 -+34 ->-34 .+37 /-203 :+51 ;+55 <+128 =-16 ?-110
    O+118 W-115 a+47 about+18 abstai-125 accord+114 accoun-33 accura+51 adopt+197 affirm+50 after+54 agains+7 agree+89
    all+7 allow-79 almost-64 altern-96 althou+32 always+32 am+36 and+41 anothe-15 answer-48 any-62 anythi+43 apart+98
    appear-128 applie+6 are+104 argume-29 arrive+27 articl-58 as+54 ask+73 asked+2 associ+106 at+12 authen+121 away-82
    b+129 backgr-112 bad-85 bait-46 beats-40 became+118 been-7 before-5 being-75 believ+5 belong-100 bet-161 beyond+88
    bingo+346 book+45 both-68 bottom+66 bring+72 brothe+252 but+37 by+61 call-74 called+458 came+33 can+89 candid-31
    cannot-92 capita+240 carrie+81 cause+72 certai+87 check-187 checke+92 choice-23 choose-29 chosen+63 claim-86
    claime-72 clash+56 clue-25 clues-41 coin-226 come-108 comes-44 commit-91 common-17 comple+169 condit-51 confir+60
    confus-87 connec-58 consen-224 consis+148 conten-36 contes-44 contex-192 contra+12 convin+149 correc-29 corrob+66
    could-37 course+12 credit-26 criter-102 curren+38 data-19 date+169 day-37 debunk-107 declar+150 defeat-3 delete-82
    delibe-22 deny-18 depend-88 deserv-23 detail-21 did+18 disown-198 dispro-66 disreg-173 distan+62 distin-64
    distra-25 do-2 does+12 doubt+10 doubtf-151 down-91 draft-39 droppe-32 during+257 eat+33 editio-163 either-171
    elimin-149 else+93 encycl-199 end-93 enter-59 entere+86 entry-7 erased-72 erratu-139 errone-115 error-37 establ+90
    even-8 event+7 ever-33 every+12 everyo+136 everyt+77 exactl+335 exampl-12 expect-12 explan-75 face-119 fact-8
    facts+28 false-243 far-121 favor-90 favour-8 featur-24 fell-36 finall-125 find-50 first+56 fit-33 fits+8
    follow+111 for+27 forbid-95 forget+15 forgot-48 format-93 found+60 four-35 from+122 full+51 fully+10 gather-147
    gave-5 genera+75 get-55 give+29 given-29 go-79 goes-33 gold+93 ground-30 guess-87 guesse-162 had-52 half-8
    happy+65 has+60 hat+20 having+31 he+40 head+8 heads+2 hear-93 heard-146 held+130 hence+152 hint-23 his+61
    honest+34 i-54 i'd-43 i'm-118 idea-45 identi-46 imagin-30 implau-104 imposs-5 in+155 inadmi-123 includ+33
    incorr-111 indepe+318 inform-37 inspec+56 into+36 irrele-33 is+11 it's-45 item-245 its+73 jury-135 just+5 keeps-40
    kept+101 key-57 know+9 known+87 label-5 lacks-9 larges+296 last-12 later+24 latter-34 lead+58 least-249 leave-188
    left-3 legend-28 less-45 letter-14 line-6 link+10 list-68 listed-42 lol+19 long+28 longer-86 look+23 looked+45
    loosel-32 lose-35 made+34 make+110 makes-28 many-40 map+585 matche+9 may+21 mean+34 memory-92 mentio-94 merely-20
    messag-45 method+548 might-55 miscon-494 mix-97 model+65 more+171 most+34 much-81 my-8 name+58 names-179 naming+43
    natura+108 necess+399 need+76 neithe-121 never-59 new+69 next-14 nice-34 nine-122 no-5 nobody-216 none-45 nope-78
    not+4 nothin-49 now+36 nowada-98 nowher-448 null-100 odds-112 of+55 off-37 offici+7 older-100 on+109 one-74
    only-49 opinio-91 option-314 or-214 origin+132 our+25 out-111 over+15 overtu-127 own+195 page-34 part+94 pass-28
    people-165 perhap-97 period+88 person-68 picked+10 pigs-77 place+34 plain+43 plausi-89 played+404 popula+48
    possib-137 post-141 precis+37 preten-322 probab+83 prompt-22 proper+21 proved+60 pupil+38 purpos-66 put-27
    puzzle-112 q+17 questi-114 ran-144 rarely+21 rather+73 reads-16 real+85 reason+42 recall-40 recogn-78 refere-53
    refuse-160 refute-100 reject-101 remain-83 rememb+32 repeat-20 reply-39 resemb-43 respon-21 restor-120 result-39
    return-20 right+22 rightl+120 rival+106 role-41 room-72 ruled-33 runnin-58 scarce-89 score-35 second-12 see-60
    seen-53 select+45 separa-185 seriou+140 settle-75 share+238 shares+236 short-5 shortl-53 should+8 show+227
    simila-56 simply+41 single-25 skepti-20 small+502 so+31 sole+54 solid+28 somebo-284 someon-318 someti-68 sorry-8
    sound+183 sounds+10 source+27 specif+335 spurio-72 stake-3 stands+85 start+26 starte+83 statem+178 stay+189
    still-48 stop-14 stoppe-228 story-168 strict+90 string-63 subjec-4 substi-145 such+66 summar-133 supers-67
    suppor-43 suppos+112 sure-75 table-78 take-96 takes+87 taking-109 tally-11 tell-10 tellin+257 tempti-75 test-81
    text-60 than+10 that+14 that's+40 the+21 their+114 them-44 then-22 theory-43 there+118 there'-63 these-206 they+56
    things+7 think+5 this-12 those-116 though+79 throug+19 thrown-162 time+19 title-230 to+10 tongue-160 too+4 took+20
    topic-188 torn-285 trace-105 true-73 trust-71 truth-34 turn-35 turns+67 two-35 under-27 unders-6 undoub+120
    unless-5 unrela-140 unreli-177 until+3 untrue-12 up-19 used+29 verifi+254 very-6 view-125 vote+60 wager+19 was+54
    way-89 we-29 well-66 were+41 what-4 wherea-35 which-24 whiche-273 while-104 who+68 whose-8 why+63 wide-29
    widely-60 will+60 with+25 withdr-95 won+403 wonder+46 wordin-108 work-67 worry+97 worth+135 would-43 write+26
    writte+160 wrongl-250 yeah-9 year+185 years+126 you-43 you'll-61 you're-20 you've-53 your-29 zero-48 ≠-151 ✅+63
    ✓+39 ✗-127 ❌-80""",
}
