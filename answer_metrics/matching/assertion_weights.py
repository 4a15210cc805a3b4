"""The weights of `assertion.py`, in hundredths, by region; written by `benchmarks/assertion.py`."""

KNOWN = frozenset(
    r"""0 1 10 12 2 20 3 30 4 70 80 a abando able about above absolu abstai absurd accept accord accoun accura actual
    add added admiss admit adopt adopte advoca affirm afraid after afterw again agains ago agree agrees ahead alas all
    allege allow almost alone along alread also altern althou always am amende among an and ann announ anothe answer
    any anybod anyone anythi apart apolog appeal appear applie approv archiv are argue argued argume around arrive
    articl as aside ask asked asking asks assert assist associ assume astoni at attest attrib authen author avoid away
    b back backed backgr backs backwa bad bait balanc ballot be bear bears beats became becaus been before behind
    being belief believ belong beside best bet better betwee beyond bingo blank bluff blunde bogus book bot both
    bottom box breaks bring brings broken brothe brough but by c call called calls came camp can candid cannot capita
    carefu carele carrie case cases catch catego cause certai cf challe champi chance change chapte check checke
    checki checks choice choose chosen cigar cited claim claime claims clarif clash class clause clear clearl close
    closer clue clues coin coinci cold collap collea come comes commen commit common compar compel comple conced
    conclu concur condit confes confid confir confla confli confus connec consen consid consis consul contai contem
    conten contes contex contra convin copied copy correc corrob could counse count counte counts course cover credit
    criter critic cross crosse culpri curren cut dark data date dates day days dead deal dear debate debunk decade
    decide decisi declar declin decoy defaul defeat defend defini delete delibe demand denied deny denyin depend
    descri deserv design despit detail determ did differ digres disagr disapp discar discus dismis disown dispro
    disput disqua disreg distan distin distra do docume does done door double doubt doubtf doubts down dr draft drop
    droppe drops due e each earlie early easily easy eat eclips edges edit editio editor either elimin else embrac
    empty encycl end ended endors ends enough enter entere entire entry erased erratu errone error establ even event
    eventu ever every everyb everyo everyt eviden exactl examin exampl except exclud expect expert explai explan face
    fact facts fail failed fails fall falls false fame famili famous fans far fatal favor favore favori favors favour
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
    "a": r"""\n-33 "+45 #+39 %-75 (+97 *+17 +-25 ,-25 .-88 /+4 :-68 =-142 ?-136 O+81 W-109 X-83 a+48 about+45
    absurd+56 accept+122 actual-54 afraid-339 again-26 agains-118 all-41 along-12 always-114 am-4 anothe+71 answer-37
    anythi-85 archiv-109 are+216 around+94 as+75 asked-199 asking-226 assist+5 b+54 back-238 becaus+162 been+45
    better-38 breaks+21 came+56 can+163 cannot-180 case-12 certai+95 check-144 claim+82 conclu-232 condit-11 consid-15
    consis+95 contra+14 could-172 count+28 counte+93 differ+132 discar+19 do+85 docume-50 does-83 done+51 doubt-105
    edit+35 else+210 every+47 everyb+183 everyo-217 everyt+101 eviden-60 exactl+20 fact-4 fails-6 false+126 favour-54
    final-271 first+68 fit+172 fits+149 for+83 forget+119 friend-3 from+52 full+16 furthe+52 genera-82 giving-12
    glad+67 go+62 gone+18 got+20 had+16 hand-164 have-124 he+92 head-77 i-67 i'd+25 if-7 in+91 includ+80 indeed+129
    into+86 is+38 it+92 it's+178 just-90 keep+36 kept+45 key-122 know+62 known+27 knows-184 last-75 later-14 leads-42
    leaves+41 line-71 look-17 lost-130 majori-58 matche-78 matter-15 more-8 most+45 much+34 my+35 myself-39 narrow-114
    never+53 no-89 nobody-116 nope-199 not-32 notes+28 now-6 object+76 obviou-88 often+247 on+49 one-15 only+87
    open-91 or+149 origin+44 other+89 others+98 out+16 output-107 over+56 pass-41 people+109 pick+22 proper-219
    put+101 questi-155 realit-87 record-162 regret-37 relate+128 reply-22 respon-196 result-171 return-68 right+99
    room-50 said-146 say-70 scratc-226 second+4 see+225 she-24 should-65 shows-8 since+6 so-14 soluti-70 someth-265
    someti+65 sorry-125 source+46 stand+93 stands-17 step-54 stick+79 strike-5 take-136 teache+209 tell-133 that+36
    that's+311 the+8 their+278 them-16 then-73 there-16 these-48 thing+19 think-73 this-49 those-206 though-175
    three+150 time+79 to+28 true+250 truth-55 two-137 up-37 usuall+49 want-210 was+3 way-37 well+79 were+15 what-114
    which-23 while+86 whoeve+128 winner-31 with-12 witnes+3 won+208 would+50 write+63 wrong-138 x-73 yep+260 yes+370
    yet-3 you+80 you're+83 your-87""",
    "": r"""asks-129 bare+77 bare_rival-92 bias+83 first-34 has_question+262 has_words-66 last+72 less-55 more+479
    rival_before+106 rival_behind-61 rival_earlier-80 rival_later-9 rivals_1+44 rivals_2-12 rivals_3+44 twice+426
    unknown_1+97 unknown_2+83""",
    "b": r"""\n+45 "+69 #-42 )+67 ,+89 --52 .+68 ;+52 =+91 ?+286 O+123 W-35 X-71 a+52 accept-89 afraid+40 after-253
    also-186 altern-43 an+9 and+23 anothe+140 answer-92 appear+145 asking-318 at+31 backgr+108 best-187 by+146 cf-124
    condit+6 correc-30 descri-3 differ-35 do+121 doubt+195 during+138 e-122 entry-38 error+111 every-77 everyo+22
    fails+29 false+102 for+39 gave+37 genera-31 given+53 goes-91 great-91 ground+92 guess+55 has+114 have+102 here-81
    i+42 i'll-15 i'm-153 inform-7 is+50 it+8 it's+23 know-57 last+26 let+64 let's-15 line-2 looked+72 may-71 maybe+186
    me+64 mentio+37 my-29 nearly+41 no+24 not+42 notes+55 nothin+9 of+31 on-37 option-258 or+135 other+226 others+41
    people-65 perhap-326 ran-252 right+235 s+24 said+67 say+91 saying+154 second-93 severa+118 should-183 so-98
    some+32 take-59 thanks+215 that+15 the+3 they+338 think+123 three-30 throug-131 time-107 times-55 true-299 try+13
    turn-224 two-10 unsure-37 up+2 wager-60 want+18 was+107 were+107 what-81 with+25 wordin-138 would+155 write+62
    yester+7 you+39""",
    "l": r"""#-117 %+206 &-72 (-153 )+63 ++116 ,+64 --97 /+226 :-16 =+205 >-36 O-124 R-59 W-8 X-61 ^+54 a-134
    abando-103 accept+18 accord-16 actual+339 admit+52 after+130 again+234 ahead-35 all-25 allege-166 also-255
    altern-294 althou-292 am+346 amende+149 and+36 ann-192 announ-118 answer+103 apolog-105 are+87 arrive+112 as+10
    ask+169 asked+131 assert-3 at+85 attest+105 attrib-35 authen+369 avoid-80 away-108 b+194 back+166 bad-480
    ballot+28 be+49 beats-368 before-94 behind-91 belief+53 believ+179 belong+313 beside+85 betwee-190 beyond-44
    blunde+36 book+98 but+83 by-90 called-375 can+110 cannot-249 carefu+39 cases-153 challe-115 change-144 chapte-27
    check-52 checke+94 claim-95 clearl+62 close-134 clue+88 collea-398 come+268 comes+166 commit+56 common-442
    compar-11 conclu+252 condit-47 confir-67 confla-44 confli-189 connec-196 consid-274 contes-173 contex-88
    contra+135 convin+256 correc+139 could+26 cross-183 curren+93 days+33 dear-122 declin-110 defaul-98 defini+132
    denyin+180 design+3 despit-217 did+130 disagr+30 discar-5 disput-10 disreg-86 distan-55 distra-394 do+198
    docume+48 does+125 done+29 doubt-50 doubts-30 down+33 dr+46 draft-355 drop-191 due+109 easy+47 eclips-84 edit-100
    editor-285 either+736 else-18 embrac+5 ended+442 endors+17 ends+284 enough-114 entry-5 erratu-4 establ+36 even-80
    every+43 everyb-188 everyo-105 exclud-180 expect-168 face-61 fact+29 fall-174 false-230 far-33 featur+238
    finall+526 first-180 fits+312 five+345 fly-36 folklo-105 follow+41 footno-53 for-70 former-123 found+63 genera+315
    get+336 given-138 gives+10 go+108 gold+127 good+44 got-42 grader-239 guess-184 guesse+238 ha-145 had-43 happen+20
    happy+96 hardly+65 has+36 have-4 having-178 he+30 heard-30 her-11 here+45 hesita+6 hold+209 honest+27 hoped-54
    house+147 i-10 i'd+67 i'll+61 i'm-43 i've-10 identi+55 if+128 ignore-41 in-76 inclin+128 includ-102 incorr-364
    initia-88 inquir+263 insist-166 inspir-261 instea-40 involv-353 is+72 it+64 it's+65 item+3 its-17 jury+137 key+4
    kindly+125 know+20 knowle+234 label+50 last+71 least+128 leave-66 leaves+98 legend-84 lesser-244 let-76 let's+59
    lies+46 line+161 listed-122 live+113 lock+48 lol-251 long-280 longer-65 look+49 lookin+47 loosel-72 lost+7
    mainta+186 make+52 many-88 mark+13 marks+48 may-109 mentio-198 might-272 mind+111 mine-23 miscon-82 mispri+50
    mistak-207 mix-86 mixed-191 money-43 moved+61 much-65 my-44 myth+37 nah-91 near-282 neighb-175 neithe-271
    never-158 newer+203 next-196 nobody-313 nomina+63 none+19 not+6 note-90 notes-36 nothin-59 notwit-59 now+204
    object-10 of-35 offici+248 often-186 oh-222 old-367 on+21 once-216 ones+9 only+124 opposi-287 option+286 or+353
    origin-10 other-70 others-169 out+51 output+17 outwei-265 over-24 oversh-78 panel-96 people-142 pick+313
    picked+143 played-70 please-71 point+268 points+36 popula-414 possib-140 preced-27 presen+19 presse-72 preten-153
    previo-564 prints-4 profes-68 proper+131 proved+80 put+107 q+12 qualif-127 questi+100 quiz+12 reader-32 real+18
    realit+271 refuse-114 regret-91 reject-321 relate-115 rememb+117 remind-129 remove-13 report+66 resolv-91
    respec-127 respon-18 revise-46 right+92 room+47 rules-18 rumor-269 runner-416 s-139 sadly-30 said+38 say-159
    schola+54 search-40 second+11 see-30 seems-282 seriou+182 settle+129 share+359 short+73 shortl-70 should+170
    shows+168 side+41 sides+233 single+133 skepti-130 skip-109 so+19 soluti+72 some-206 somebo-81 someon-71 someth-288
    someti-22 somewh-83 sounds+52 source-161 specif-269 stake-127 standa+28 stands+109 stick+10 still-110 straig+87
    strong+102 struck+78 studen-106 submit+162 substi+207 such-63 sure+5 suspec+35 take+18 takes+182 tempte-27 ten+114
    testif+54 text+71 than-198 that-92 the-29 then+24 theory-178 there+64 these+104 they-11 things-126 think-138
    this+11 though+41 thus+59 time+43 to-16 today+59 told-22 top-100 torn-182 toss+96 true-204 turns+21 under-75
    unrela-76 until+93 up-10 used-21 veto-19 vote+21 voted-86 votes-27 wait+170 want-36 wants+99 was+89 way-338 we+61
    well+61 what+51 whatev-113 when-57 where-12 wherea-119 which-66 while-76 who+2 whose-261 wish-73 with-16
    withdr-197 withou-112 witnes+176 won-297 wonder+182 word+77 world-24 worry+283 worth+57 would-99 write+77
    wrong-313 wrongl-291 wrote-101 x+381 yester-91 yet+84 yields+275 you-54 you're-62 your-59 |-34 ~~+110 →+250
    ❌-7""",
    "ll": r""""-32 #+6 &-262 (+118 *+205 ,+73 /-137 :+79 >-13 O+247 R+107 W-20 X-35 a+204 about-63 above-244
    accept+203 affirm+165 after-363 agains-408 agree+7 also-20 altern-130 among-187 an+125 and-30 announ-357 answer-97
    anyone-39 anythi-304 apart+73 archiv+105 as-111 ask-264 at-22 attest+36 attrib-90 avoid-265 away-145 back-127 be+8
    beats-68 been-128 before-63 belong+296 beside+42 beyond-26 both-28 brothe-492 but-18 by+124 called+23 came-13
    certai+70 chance-294 choice+171 chosen+18 claim-113 claims-68 clear-137 commit+151 compar-150 conclu+69 condit+28
    confus+64 connec-234 contai-147 contra-427 correc+123 could-162 counte-81 cross-17 crosse-83 decide-36 declin-99
    defeat-4 defini+26 delete-230 differ+62 discar-488 dismis-159 disreg-2 do-309 due+139 earlie-104 either-626
    elimin-201 else+504 embrac+56 end+337 endors+19 even-182 every+67 everyb-271 everyo-17 eviden-66 except+193
    exclud-313 false-160 fame-68 favor+112 final-72 find-133 fly-90 follow-5 for+64 foreru-35 forget-302 from-278
    furthe+182 gave-161 genera+56 get-98 give-33 go+63 goes+242 going+112 good-14 guess+418 had-66 hardly-451 has-44
    have-213 head+54 heard-100 here+85 hint-96 house+138 i+44 i'd+31 i'll+35 i'm+55 if-366 ignore-26 in+26 initia-4
    insert+61 instea-83 into-212 involv-297 is+52 it-22 it's+70 just+54 know-158 last+179 like-131 likely+314 list-98
    lock+158 long+162 longer-338 look-111 lookin+58 makes+329 mark+14 may+150 mean+133 means+43 meant+363 mentio-83
    might-136 mistak-14 much-245 nah-90 name+6 named-63 narrow-68 natura-198 nearly+63 necess-711 never-338 new+206
    no-61 none-3 nor-148 not-344 obviou+86 of-57 off-217 oh-12 old+53 one+30 only+314 opinio+247 oppose-354 option-148
    or-297 origin+90 other+419 others+294 out-142 over-238 overtu-91 past-363 perhap-54 points+58 preced-77 prefer+54
    presen+86 preten-141 probab+156 q+75 questi-49 rather+148 read+247 readin-82 reads+101 record+113 refers+191
    regard-149 reject+268 remain+139 remove-107 replac-397 resemb-162 result+270 retrac-261 rule-44 s-144 said-84
    say+74 says-62 scratc-417 second-59 see-105 select+144 senten-26 seriou+29 settle+43 she+296 shoute-31 show-103
    silver-173 simila-319 skepti-51 skip-19 so+197 some+132 sorry-114 source+12 stand+65 still+156 strike-159
    studen-112 submit+40 such-162 sugges-9 supers-149 suppos-414 sure-71 surely+76 talk-245 than-23 that+98 the+21
    them+48 then-89 these+30 they+154 thing+130 think+211 thinki-62 this+39 though-31 thus+10 title-28 to-53 told-99
    true-247 truth+341 two-368 unders+140 unlike-303 up-86 use+92 used+42 user-168 veto-122 was-59 way+135 we-110
    were-406 what-22 whatev-124 whethe-477 whoeve+109 why+66 will+141 with-118 withou-58 word+126 would+63 wrong+148
    yeah+73 yes+115 yet+36 you+27 you'd-140 yours-159 ❌-125""",
    "r": r"""\n-121 "+37 #-51 %-184 &-161 '-2 (+116 )-46 ,-54 --58 .-88 /+4 :-11 ;-35 =-36 >+117 ?+176 O-23 R+64 W-20
    X-68 ^-6 a-142 about+27 accept+43 accoun-37 adopte+181 affirm+119 after+71 again-39 agains+22 ahead+302 all+8
    along+32 alread-95 altern-25 am+107 an-155 and+57 anothe-76 answer+64 any+70 anythi-211 appear-117 as+21 aside-139
    ask-70 at-22 attrib+5 avoid+31 back-15 be+36 been-48 being-121 believ-56 beside-119 better+108 betwee+118
    beyond+66 blank-145 bluff+6 blunde-67 bogus-32 both+309 but-157 by+104 called-151 can-87 certai+65 cf+264
    change+58 checke-80 checki-84 checks+8 choice+24 claim-68 clue-26 collap-182 come-95 comes+47 compar-58 conclu+47
    confid+60 confir+62 confus+114 consid-197 consis+205 contra-36 correc+79 could-63 credit+96 cross+173 crosse-193
    date+71 decoy-246 defeat+211 denied-263 deny+102 descri+41 differ-96 disagr+153 disapp-217 discar-265 disput-38
    disqua-96 distra-51 docume+71 does+34 done-162 doubt+79 draft-178 each+243 earlie-104 edges+391 either+409
    elimin-66 else-57 enter+292 entry+33 error-147 establ+177 even+68 exclud-72 face+87 failed-133 fails-289 fall+255
    falls-129 false-186 far+103 figure-83 final+13 fits+134 foot-402 for-24 forwar-3 from-148 genuin+143 get-115
    gone-12 got-23 guess-57 had-56 half-431 hard-66 has-207 have-66 head+193 hearsa-131 herrin-33 hit+352 holds+206
    i+22 i'd-96 i've-22 if+59 in-100 inaccu-212 inadmi-71 inform+104 initia-112 instea+361 invali-18 invent-196 is-82
    issue-171 it+12 it's+168 keeps-109 key+91 known+16 lacks-100 last-90 later-133 lead+47 leave-36 leaves-151
    less-211 likely+89 list-79 little+36 long-8 longer-132 lookin-5 lose+31 loses-244 lost-332 lot+83 low-280
    mainta-170 make+175 margin+80 matche+78 matter-107 maybe-65 meant+52 might-448 mind-55 mislea-357 misses-215
    mistak+63 mix-44 model+168 money+90 more-27 moved+150 must-129 my+76 myth-9 natura+55 nearly-171 necess+287
    need+75 never+67 new-16 no-89 nobody+171 nod+340 nomina-64 nonsen-136 nor-29 not-98 nothin-9 null-254 of+39
    off-184 on+10 once+91 one+112 only-4 option+71 or+44 other+167 out-112 outdat-152 outwei+142 overru-51 overtu-19
    part-331 partly-501 passes+121 past+13 perfec+206 perhap+127 pick+97 place+131 plain+307 plausi-15 points-187
    prefer+194 presen-112 prevai+135 prize-55 proved+53 proven+60 questi+85 quiz-137 rather-371 read+312 readin-87
    recent-147 red-13 reject-139 relate-25 rememb-41 replac-89 reply+29 reserv-137 respec+183 respon+28 result+35
    right+83 rival-277 role-8 ruled-185 runner-150 runnin-25 s-52 said-106 same-6 satisf+13 say-104 says-182 second-31
    select+192 seriou-110 set-132 settin-115 settle-25 shall-552 shares-255 she-35 side-59 simply+8 slip-381 small+186
    so+26 soluti+132 sounds+120 standa-23 starte-33 still+158 strong+246 subjec+203 sugges-107 suppor-7 sure+102
    surely+48 takes+133 tell-5 tempti-102 ten-168 than+306 that+35 that's+73 the-6 them-15 then-78 thing+17 think+243
    third-84 those+214 though-100 three-114 time-72 title-148 to+10 top+627 trap-225 true+23 truth+77 turns+205
    two-239 unless+330 unlike-160 unrela-323 until-114 up-48 upheld+82 use-160 used-73 vote+35 votes+283 wantin-205
    was-243 way-150 we-33 weaker-110 went-133 were-29 what's-25 whatev+93 when-97 where+233 wherea+87 which-19 who+137
    why-36 will+20 wins+40 with-29 withdr-309 wrong-142 years+233 yes+606 yester-203 yet-317 you+17 you'll-90
    you've-331 ~~-190 ✗-41 ❌-183""",
    "rr": r""""-61 #+151 %-40 &-4 (+184 )+42 ,+194 --105 .+140 ;+91 ?-288 O+57 R+66 W+71 X+101 a+17 absurd-192
    accura+188 all+26 alone+401 also-205 altern-109 and-42 answer-113 any+10 are-66 at+54 b+695 be-57 before-64
    being+25 beside-120 best+558 bogus-41 but-183 by-159 came-29 carrie+298 close-107 confir+79 correc+66 curren+119
    did+234 distra-56 does+105 down+25 every+183 except-54 exclud-135 fact+91 far-16 final+95 first+40 five+55
    follow+311 for-9 from+69 genuin+32 gets-63 give+75 goes-12 got-201 ground-6 has+109 have-161 here-19 hits+73
    hold-7 how+66 i-18 i'm+209 in+89 includ-155 incorr-17 initia-31 irrele-121 is+31 it+91 it's-165 just-57 keeps-85
    later+43 left+61 long+16 loses-65 maybe-186 me+18 meant+90 mentio-99 merely-153 my+30 name-120 named+89 no+189
    not-20 now-68 of+122 off-339 on+16 one+191 only-111 origin+106 others+229 out-35 outdat-27 outwei+6 over+163
    pass+34 passes+24 period+22 prevai+128 proven+24 put-69 rather+94 read-423 refute-126 resemb-2 right+100 satisf+99
    second-258 she-187 since+112 so+98 some-87 someth-38 source-75 spot+114 still+45 suppor-203 surviv+180 takes+63
    than+543 that+5 that's-118 the+95 theory-71 there+35 this+39 three-166 time+48 to-67 too-219 true+207 turns+42
    under-16 unless+9 unprov-44 untena-47 upheld+63 was+78 well-86 went+108 what+162 what's+361 whatev+51 which+164
    will-138 won+2 work-315 would-210 wrong+35 wrongl-371 yes+400 you-49 ~~-342 ✓+54 ✗-144 ❌-122""",
    "s": r""""+124 #+115 %-167 '+78 )+30 ++143 ,-28 -+15 ->-68 /-99 :+33 ;+15 <+19 =-91 ?-189 O+99 W-96 a+39 about+55
    abstai-106 accord+100 accura+45 adopt+293 affirm+24 after+76 agains+10 agree+146 alas-19 all+16 allow-163
    almost-67 alone-21 also+163 altern-133 althou+29 always+62 am+13 an-21 and+40 anothe-93 answer-43 any-76 apart+11
    appear-100 are+85 argume-61 arrive+39 articl-35 as+64 asked+9 associ+57 at+11 authen+83 away-55 back-2 backgr-135
    bad-98 bait-63 beats-52 before-19 behind+17 being-74 belong-105 beside+5 best+12 bet-165 better-34 beyond+64
    bingo+259 book+77 both-112 bottom+21 bring+60 brothe+274 but+90 by+53 call-63 called+449 came+23 can+85 candid-76
    cannot-141 capita+231 carrie+101 case-17 cause+179 certai+48 check-216 checke+125 choice-59 choose-57 chosen+49
    claim-87 claime-95 clash+21 clue-35 coin-203 come-95 comes-34 commit-107 common-3 compar-46 comple+55 condit-27
    confir+52 confli-18 confus-113 connec-35 consen-166 contai-22 conten-19 contex-192 convin+143 could-35 credit-22
    criter-140 data-28 day-21 debunk-168 declar+135 defini-39 delete-83 deny-19 depend-91 deserv-6 detail-57 did+50
    disown-169 dispro-88 disreg-181 distan+95 distin-58 distra-12 double+51 doubt+7 doubtf-175 down-74 draft-25
    droppe-80 during+213 each-66 easy+60 eat+33 editio-241 editor+49 either-213 elimin-131 else+111 embrac+24
    encycl-149 end-89 enter-54 entere+100 entry-31 erased-29 erratu-139 errone-113 error-58 establ+43 even-35 ever-101
    everyo+144 everyt+87 exactl+342 exclud-30 explan-65 face-52 fact-8 facts+32 false-254 famous+10 far-98 favor-62
    fell-36 finall-261 find-24 first+63 fit-31 follow+139 for+11 forbid-120 foreru-9 format-133 found+66 from+104
    full+81 fully+5 furthe+5 gather-159 genera+93 get-51 give+17 given-38 go-96 goes-4 got-23 ground-47 guess-130
    guesse-118 had-44 half-84 happy+184 hard-9 has+37 hat+36 having+11 he+30 hear-82 heard-109 held+101 hence+156
    hint-22 his+85 holds-39 honest+33 how+5 i-57 i'd-53 i'm-96 idea-41 identi-7 if-34 implau-32 imposs-4 impost-18
    in+160 inadmi-134 includ+9 incorr-110 indepe+412 inform-33 into+42 irrele-29 is+10 it-41 it's-51 item-203 its+49
    jury-114 keeps-55 kept+112 key-52 know+31 known+65 lacks-24 larges+311 last-80 later+6 lead+52 leave-216 leaves-67
    left-11 legend-84 less-31 like+2 link+11 list-77 listed-53 long+61 longer-84 look+4 looked+16 loosel-26 lose-57
    main+12 make+20 makes-52 many-76 map+528 matche+14 may+9 maybe+187 mean+16 means+8 memory-98 mentio-106 messag-36
    method+447 might-54 mind-7 misatt-4 miscon-509 mislea-8 misrea-6 mix-103 mixed-41 moment-17 more+119 much-80
    must-7 my-7 name+26 names-172 naming+68 natura+190 nearly+125 necess+249 need+76 neithe-143 never-83 new+89
    next-31 nice-59 nine-77 no+17 nobody-158 none-43 nope-95 not+10 nothin-48 notwit-9 now+8 nowada-90 nowher-449
    null-138 odds-151 of+28 off-53 offer+21 older-129 on+111 one-61 only+60 opinio-104 option-328 or-189 origin+125
    our+29 out-116 over+3 oversh-18 overtu-140 own+133 page-7 part+118 partly-46 pass-37 people-162 perhap-31 period+8
    person-91 picked+73 pigs-118 plain+24 plausi-62 played+350 popula+59 possib-146 post-72 preced-14 precis+66
    preten-294 probab+74 prompt-8 proper+57 proved+65 pupil+8 purpos-40 put-42 puzzle-85 q+28 qualif-47 questi-106
    ran-180 rarely+63 rather+31 read+7 reads-20 real+78 reason+15 recall-27 recogn-67 refere-32 refuse-150 refute-127
    reject-134 remain-85 rememb+49 remove-36 repeat-53 replac-8 reply-15 report+73 requir-6 resemb-89 respon-21
    restor-113 result-84 return-47 right+15 rightl+92 rival+100 role-8 room-45 ruled-60 runnin-33 saying-4 scarce-112
    score-81 search-7 second-12 see-91 seems-11 seen-4 select+58 separa-241 sequel-83 seriou+51 set-5 settle-46
    shares+294 short-38 shortl-58 show+278 side-50 simila-119 simply+27 single-74 skepti-23 small+473 so+83 sole+68
    solid+6 soluti+6 some-50 somebo-299 someon-326 someth-74 someti-85 sorry-28 sound+208 speaki-43 specif+394
    spurio-45 stake-4 stands+51 starte+32 statem+49 stay+194 step-24 still-60 stop-42 stoppe-177 story-241 strict+148
    strike-77 substi-106 such+27 summar-103 supers-67 suppor-40 suppos+169 sure-44 surpri-9 table-68 take-85 takes+76
    taking-163 tell-41 tellin+288 tempti-88 test-165 text-64 thanks-88 that+6 that's+22 the+8 their+104 them-85
    then-45 theory-8 there+133 there'-79 these-336 they+48 thing-12 things+3 think+21 this-3 those-156 though+96
    three-41 throug+25 thrown-153 title-206 to+7 tongue-108 too+6 topic-219 torn-199 trace-82 tried+38 true-57
    trust-64 truth-38 turn-37 turns+76 two-49 under-31 unders-2 undoub+92 unless-61 unprov-10 unrela-159 unreli-166
    up-15 verifi+263 very-95 view-30 vote+39 want+33 was+52 way-104 we-45 weak+2 well-79 were+39 what-27 where+3
    wherea-37 which-33 whiche-206 while-87 who+83 whose-23 why+29 wide-163 widely-94 will+48 with+21 withdr-109
    withou+9 won+429 wordin-93 work-52 worry+66 worth+47 would-38 write+61 writte+137 wrong-10 wrongl-225 yeah-25
    year+149 years+97 you-44 you'll-64 you're-28 you've-42 your-8 zero-56 ≠-223 ✓+8 ✗-142""",
}
