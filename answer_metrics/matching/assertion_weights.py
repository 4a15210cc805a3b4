"""The weights of `assertion.py`, in tenths, by region; written by `benchmarks/assertion.py`."""

KNOWN = frozenset(
    r"""a abando able abound about above abroad absenc absent absolu abstai absurd accept access accide accomp accord
    accoun accura accuse ace aces achiev acknow acquit across act action actual add added addres adjour admire admiss
    admit admits admitt adopt adopte advert advice advise advoca affair affect affirm afloat afraid after afterw again
    agains age ages ago agree agreed agreem agrees ah ahead air airtig akin alarm alas alibi alike all allege allow
    allowe almana almost alone along alongs aloud alread also altere altern althou altoge always am ambigu amende
    among ample an anagra analys anchor and annota announ anonym anothe answer any anybod anymor anyone anythi anyway
    apart apocry apolog appare appeal appear append applau applic applie apply appoin apprai approp approv apt arbitr
    archiv are arguab argue argued argues argume arithm arms around arriva arrive arrow articl artist as ascrib aside
    ask asked asking asks asleep assert assess assign assist associ assume assump assure astoni astray at attach
    attack attemp attest attrac attrib auctio audien authen author autoco availa avoid awaits awake award awarde aware
    away aye b back backdr backed backer backgr backin backs backtr backup backwa bad badly bag bait baked balanc ball
    ballot bang bank banner bar barely barkin barred bars base based basele bases basket be bear bearin bears beat
    beaten beats became becaus become been before beg began begin beginn begins behalf behind being belief believ bell
    belong belove below bench beneat beside best bet better bettin betwee beware beyond big bigger bill bin bindin
    bingo biogra birds birth birthp bit black blackb blame blank bless blind blocke blocks blog blogge blooms blow
    blue bluff bluffi blunde blunt blurte blush board body bogus bold bone book bookma books border bore born borne
    borrow bot both bottom bought bound bow bowed bows box boxed boxes boy bracke brain branch bravo break breaki
    breaks breath bridge brief briefl bright brilli bring bringi brings bro broad brochu broke broken brothe brough
    browse budge bug built bullet bullse bunk buried burned but button buy buzz buzzer by bystan c cache calcul calend
    call called caller callin calls came camp campai can canard cancel candid cannot canoni canvas cap capita captai
    captio card cards care carefu carele carrie carry case cases cast castin cat catalo catch catego caught cause
    cautio caveat ceased celebr cell census centre centur certai certif cf chaff chagri chain chair challe champi
    chance change chapte charac charge charmi chart charte chase chatbo cheap cheat check checke checki checkm checks
    cheese child choice choose choosi chorus chose chosen christ chroni chrono cigar circle circul circum citati cite
    cited city claim claime claimi claims clarif clash clashe class classi clause clean clear cleare clearl clears
    clerk clever clicke client cling clock close closed closel closer closes closin clue cluele clues coat code coffee
    coin coinci cold collap collea collec colloq colour column come comes comfor coming commen commis commit common
    compan compar compas compat compel compet compil compla comple compos comput conced concei concer conclu concur
    condem condit confer confes confid confir confla confli confus congra conjec connec conque cons consen consid
    consis consol conspi consul contai contem conten contes contex contin contra contro conven conver convic convin
    copied copies copy corner correc corres corrob cost costs could counse count counte counti countr counts course
    court cousin cover covere cracke creden credit cried cries criter critic cross crosse crossi crossw crowd crown
    crowne crumbl cry crysta culpa culpri cup curato curios curiou curren curtai custom cut cuts cuttin d dad dare
    dark data date dates dawn dawned day daylig days dead deadlo deal dear debate debt debunk decade deceiv decide
    decidi decisi declar declin decoy dedica deduce deduct deed deemed def defaul defeat defect defenc defend defini
    delay delete delibe deligh delive demand demons denial denied denies deny denyin depart depend depict deposi
    deprec deriva derive descen descri desert deserv design desk despit destin detail detect determ dethro detour
    devil' devote diagno diary dictat dictio did die died diff differ digres ding dinner direct disagr disamb disapp
    disavo disbel discar discla disclo discou discov discre discus dish dishon dismay dismis disown displa dispro
    disput disqua disreg dissen dissol distan distin distra ditch dither divide do doctor docume does dog dollar done
    door double doubt doubte doubtf doubti doubts down dozen dr draft draw drawin drawn dream dreame dreamt drew
    drifte drive drop droppe drops dry dubiou dud due duel dug dull dummy dunce dunno dust e each earlie early earned
    earnes earns earth easier easily easy eat echo echoes eclips edge edged edges edit edited editio editor effect
    either electe elemen eleven eligib elimin else else's elsewh embarr embrac emerge emphat empty encycl end ended
    endors ends enemy engine engrav enjoy enjoye enough enquir enter entere entert entire entrie entry envelo episod
    equal equall equals equiva era erase erased err errata erratu errone error errors errs es escape essay establ
    estima etymol evalua evapor even evenin event events eventu ever every everyb everyo everyt everyw eviden ex exact
    exactl exam examin exampl exceed excell except exchan exclud exclus excuse exerci exhibi exist existe exists exit
    expect expert expire explai explan explic expose extra eye eyes fabric face fact facts faded fades fail failed
    failin fails failur faint fair fairly faith faithf fake fall fallac fallba fallen falls false falseh falsel falsif
    fame famili family famous fan fans far fascin fast fat fatal father fault faulty favor favore favori favors favour
    fear feared feat feathe featur feel feelin feels fell fence fetche few fictio fiddle field fifty fig fight figure
    file filed fill filled fills film filter final finall find findin finds fine finger finish fire firm firmly first
    fish fit fits fittin five fix fixed flag flagge flat flaw flawle flew flies flip floate floor floppe flunke flunks
    fly fog foggie folk folklo folks follow fool fool's fooled fools foot footno for forbid force forced foreca forego
    foregr foreru forged forger forget forgiv forgot form format former forms forth fortun forty forum forwar found
    founda founde four frame framed free freque fresh friend from front frowne fruit fulfil full fully fun funny
    furthe g gain gamble game gap garble garnis gather gave genera genuin get gets gettin ghost ghostw give given
    gives giving glad gladly glance glasse glitch glitte glossa glove go goal goes going gold gone good google goose
    gospel gossip got govern grader graffi grain grandf grandm grant grante grapev graves great green grew grey greyed
    grid ground group grudgi guaran guess guesse guessi guest guide guilty gun guns gut ha had haha hair half halfwa
    halluc halves hammer hand handbo handed handfu hands hang hangin hangs happen happil happy harbou hard harder
    hardly harves has hasty hat hatche hate hats have having hazard hazy he he'd he's head headed headin headli heads
    health hear heard hearin hearsa heart heaven heavil hedge heed heels heir held hell hello help helps hence her
    here here's hereby hero herrin hersel hesita hi hidden hides hiding high higher highli highly him hinges hint
    hinted hints hired his histor hit hits hmm hoax hold holder holdin holds hole holes home homewo homony honest
    honor honora honour hook hope hoped hopele hopes hoping horse host hot hour hours house how howeve huh human
    humble hunch hundre hung hunt hurdle hype hypoth i i'd i'm ice idea identi idk if ignora ignore ill illusi illust
    image imagin imitat immedi imo implau implie import imposs impost impres improb in inaccu inadmi inch incide
    inclin includ inconc incons incorr indeed indepe index indica indisp inevit inferi influe info inform ingred
    inheri initia ink inked input inquir inscri insert inside insist inspec inspir instal instan instea instin instru
    insuff intact intend interc intere intern interp interr interv into introd intuit invali invent invest involv
    irrele is issue issued it it'd it's item its itself jackpo jammed jerk jest jettis job joined jointl joke joking
    journa judge judgem judges judgme jump jumped jury just justif keep keepin keeps kept key keyboa keywor kiddin
    kind kindly king knee knew knock knocke knocks know knowin knowle known knows lab label labell lack lackin lacks
    ladies laid lamp land landed landsl langua lapse larges last late later latest latter laugh laugha laughe launch
    laurel lay lead leader leadin leads leaf leak leaked lean leaned leanin learn learne least leave leaves leavin
    lectur led ledger left leg legend legibl legit lemme length lent less lesser lesson let let's letter level librar
    lie lied lies lieu life lifeli lifted lifts light like likeli likely likene likewi line lines link linked links
    lips list listed listen listin lists litera little live lived lives lock locked log logic lol lone long longer
    look lookal looked lookin looks lookup loose loosel lose loser loses losing lost lot loud love lovely low luck
    luckil lure lying madam made main mainly mainta majori make makes making man manage manual manusc many map margin
    mark marked market markin marks marrie mask master match matche mate materi matter may maybe me mea mean meanin
    means meant meanwh measur medal meet meetin meets member meme memo memoir memory mentio mere merely merged merit
    merits messag met method middle might mile miles millio mind minds mine minist minori minus minute mirage mirror
    misatt miscon miscou misgiv mishea misinf mislab mislea misled mismat misnom mispla mispri misrea misrem miss
    missed misses missin misspo mistak mistoo mistra misund mix mixed model modera modern modest moment money moon
    more mornin most mostly motion mouth move moved moves much muddle mum murmur museum must mutter my myself myster
    myth n nah nail nailed nails name named namely names namesa naming narrat narrow native natura nay near neares
    nearly neat necess neck need needed needle needs negati neglig neighb neithe net neutra never nevert new newer
    news newspa next nice nicely nickna night nil nine ninety no nobody nod nodded noise nomina nomine non none noneth
    nonsen noon nope nor north nose not note noted notes nothin notice notion notori notwit novel novice now nowada
    nowher null number nutshe o oath obey object oblige obscur observ obsole obtain obviou occupi odd odds of off
    offer offere offers office offici offsid often oh ok okay old older omit omitti on once one one's ones online only
    onto oops open opened openin opens operat opinio oppone oppose opposi opt option or oracle order ordere origin
    ostens other others otherw ought our ours ousted out outcom outdat outer output outran outrig outset outsid outwei
    over overbo overlo overra overri overru oversh oversi overtu overwh overwr owe owed owing own owned p pace page
    pages paid painte pair paired pale pales pamphl pan panel paper papers paperw paragr paraph parcel pardon parent
    park parody parrot part partia partis partly partne party pass passag passed passes passin passwo past patch path
    patien paved pay peer peg pen penalt pencil pendin penned penny people per percen perfec perfor perhap period
    perish perjur perman permit persis person persua phone phoned photo photog phrase phrasi pick picked picks pictur
    piece pigs pile pilot pin pinch pinned pipped place placed placeh places plain plainl plaint plan planne plans
    plante plaque plate plausi play played player playin plays plead please plenty plump plus podium poet point pointe
    pointi points policy poll polls ponder pool poor popped popula port portra posed positi posses possib post posted
    poster postpo practi praise prank preced precis preclu predat predec predic prefac prefer premat premis presen
    press presse pressu presum presup preten pretty prevai preven previo primar print printe printi prints prior prize
    pro probab proble proces procla produc profes promin promis promot prompt pronou proof proofr proper prophe propos
    pros prosec protes prove proved proven proves provid provis pub public publis pull pulled pullin pundit pupil
    pupils pure purpos push pushed put puts puttin puzzle q qualif quarre quarry quashe queen query questi quick quiet
    quietl quite quiz quizma quizze quotat quote quoted quotes quotin race rain raised ran random rang rankin ranks
    rarely rate rather ratifi re reach reache reacti read reader readin reads reaffi real realit realiz really reason
    rebutt recall recant receip receiv recent recipe recipi reckon recogn recoll recomm reconc recons record recoun
    red redire refer refere referr refers reflec refrai refund refuse refusi refute regard regist regret regula rehear
    reinst reject relate relati releas relega releva reliab reluct rely remain remake remark rememb remind remini
    remove render renoun repeat rephra replac replic replie reply replyi report repres reprod repudi reputa reques
    requir reread rescin rescue resear resemb reserv resign resist resolu resolv respec respon rest restat restor
    rests result retain retrac return reveal revers revert review revise revisi revoke reward rhymes rich riddle
    ridicu right rightf rightl ring rings rises risk rival road roads rock role roll rolled rollin room root rose
    roses rotten rough roughl round route row rubbed rubbis rubric rule ruled rules ruling rumor rumour run runner
    runnin runs s sadly safe safely sage said sailed sake salt same sample sang sank sarcas sat satisf save saved saw
    say saying says scale scales scarce scatte scene scent scepti scheme schola school scope score scoreb scored
    scores scrap scrape scrapp scratc scream screen scribb script scruti seal sealed search season seat second secret
    sectio see seed seeing seek seem seemed seems seen seldom select self sell sellin send sender sendin sense sensib
    sent senten separa sequel series seriou serve served serves servic servin set sets settin settle settli severa
    shadow shake shaky shall shame share shared shares she sheet shelf shelve shifte shines ship shippe shook short
    shortl shot should shout shoute shouti show showed showin shown shows shrug shrugg shut siblin sic side sided
    sides sieve sighed sight sign signal signat signed signs silenc silent silly silver simila simple simply since
    sincer sing single sings sir sister sit site sites sits six size skepti sketch skim skip skippe sleeve slept
    slight slim slip slippe slot slots slow small smalle smell smoke smudge snow so sober sold sole solely solid
    soluti solve solved solves some somebo someon someth someti somewh song soon sooner sorry sort sorted sought sound
    sounde sounds sour source space spare spat speak speake speaki speaks specia specif specul spell spelle spelli
    spells spent spirit spite split spoile spoke spokes sponso spot spotli spotte spread spring spurio square stab
    stage stake stale stamp stampe stance stand standa standi stands star starin stars start starte starti starts
    state stated statem states static statue status stay stayed stayin stays stead steer stems step steppe stick
    sticki sticks still stipul stone stood stop stoppe stops storm story straig strain strang street stretc strict
    strike string stripp strong struck stuck studen studie studio study stuff stumbl stumpe style subjec submis submit
    subseq subsid substa substi subtit succee succes such suffer suffic sugges suit suitab suits sum summar sums
    superf superi supers superv suppla suppli supply suppor suppos sure surely surer surfac surpas surpri surren
    survey surviv suspec suspic sustai swallo swap swappe swayed swear swears sweet swipe switch swore sworn synony
    system t table tabled tabloi tag tails take takeaw taken takes taking tale talk talked talkin talks tallie tally
    tangen target task taste taught tbh tea teach teache team techni teeth tell tellin tells templa tempta tempte
    tempti tempts ten tender term termin terms test tested testif testim testin tests text textbo than thank thanks
    that that's the their theirs them then theori theory there there' theref these thesis they they'd they'r they'v
    thin thing things think thinki thinks third this those thou though thousa thread three threw throne throug throw
    throwi thrown thumbs thunde thus tick ticket ticks tie tied ties till time timeli times timing tip tipped tips
    tired title tl to toast today today' togeth token told tone tongue tonigh too took top topic tore torn toss total
    totall touch touche touris toward town toyed trace track trade tradit trail trails train traine traini transc
    transf transl trap travel treat treate tree trick tricks tricky tried trigge trips triump trivia trophy troubl
    true truly trump trumpe trumps trust truth truthf try trying turn turned turnin turns twice twin twist two txt
    type typed typing typo u uh ultima unable unambi unanim unansw unassa uncert uncle unclea unconv undeci undeni
    under underd underl undern unders undese undisp undo undoub unfair unfort unfoun univer unknow unless unlike
    unlock unmask unmist unpers unprov unques unrela unreli unreso unseal unsolv unsucc unsuit unsure untena until
    untrue unveil unveri up update upheld uphold upon urban urge us usage use used user uses using usual usuall usurpe
    utter uttere v1 v2 vacill vague vaguel vain valid valida value values vandal vanish vanqui varian vary ventur
    verdic verifi verify verse versio versus very veto vetoed via vice victor view villai vindic violat visibl visito
    voice void volume vote voted votes vouch wag wager wait waitin wake walk walked walks wall want wanted wantin
    wants warm warn warnin warran was wash watch water watert wavere waveri way ways we we'll we're we've weak weaker
    wear websit weed week week's weigh weighe weighi weight welcom well went were what what's whatev wheat wheel when
    where wherea whethe which whiche while whiske whispe whistl white whittl who who'd whoeve whole wholly whom whose
    why wide widely widesp widow wikipe wild will win wind window winner winnin wins wise wiser wish wishfu with
    withdr wither withhe withho within withou witnes won wonder word worded wordin words work worked workin works
    world worry worse worst worth worthl would write writes writin writte wrong wrongl wrote x yeah year years yelled
    yep yes yester yet yield yields you you'd you'll you're you've young younge your yours yourse yup zero""".split()
)
REGIONS = {
    "a:": r"""\n-3 \n_#_.+21 \n_-+8 \n_-_X+6 \n_me+5 \n_me_:+6 \n_the-11 \n_|+3 "_,+6 "_X-5 "_i+1 "_it+8 #-8 #_)+12
    #_._O+15 #_:-7 #_W+6 #_X+1 #_X_\n-2 '_X+8 (_"+3 (_#+10 (_W_)-5 )_\n+6 *-1 ,+1 ,_W-2 ,_X-5 ,_and_mine-15
    ,_and_the-3 ,_becaus-12 ,_beyond-3 ,_but+15 ,_correc-6 ,_for+1 ,_howeve_,-12 ,_i-4 ,_in+9 ,_it+4 ,_it's+4 ,_no-1
    ,_not+1 ,_or+17 ,_with_X-13 -_and-9 .-3 ._\n-6 ._"_X-4 ._)+4 ._X_\n+7 ._all+2 ._i-2 ._i_say+9 ._let+2 ._no+10
    ._one-2 ._that's-7 ._the-2 ._then-14 ._this+3 /-3 :-9 :_W-16 :_X-6 :_X_.-6 :_altern-5 :_i+2 :_it+5 :_it_is+11
    :_no-1 :_nothin-1 :_right+1 :_six-2 :_the_X-3 :_wrong-10 ;_i-11 ;_it+1 ;_it's+5 <-1 =-9 ?-10 ?_X_?-10 O+2 O_O+4
    O_X+4 Q_,-5 Q_Q-5 Q_was-4 W-7 W_\n-3 W_,_not-2 W_.-4 W_._X+2 W_._i-10 W_._the-5 W_;-3 W_W-6 W_W_,-1 W_W_.-3
    W_W_W-7 W_X+6 W_a+3 W_and+1 W_as-5 W_has-1 W_is+1 W_not+4 W_of+3 W_was+1 X-4 X_\n_-+4 X_\n_X-2 X_\n_i+1 X_#+13
    X_,+1 X_,_"-3 X_,_#+7 X_,_X+18 X_,_a+14 X_,_and-10 X_,_as-2 X_,_i+3 X_.-6 X_._no+3 X_._that's-3 X_._the-6 X_:+2
    X_:_X-3 X_;-7 X_?-2 X_O_X-2 X_and+6 X_and_X+11 X_are+6 X_came+4 X_in+5 X_is+2 X_is_W+3 X_is_a+17 X_is_my-7
    X_is_the-3 X_it_is-11 X_never+11 X_not+12 X_of+8 X_of_X-10 X_of_the+1 X_the-2 X_the_X-7 X_to+16 a_.+2 a_W+2 a_X+3
    a_X_.-2 a_contra_.+2 a_second-1 about+2 about_X+13 accept+1 actual_,-4 advert-4 affirm+21 afraid-16 again-6
    agains-7 agree+14 alas-6 all+1 allow+5 along+2 alread+3 also_X_.-7 also_the+13 altern_of-7 altern_of_genera-2
    an_answer-20 and+2 and_W+1 and_X_.+8 and_i+6 and_i_not-8 and_my-4 and_no+6 and_so-1 and_that-4 and_that's-4
    and_you-7 answer_\n-42 answer_)-5 answer_,-10 answer_.+5 answer_:-9 answer_W-1 answer_by-3 answer_it+24
    answer_this+1 answer_with+1 as+1 as_my+14 as_our+12 as_the+7 ask-6 asked-4 asked_for-2 asking-10 b+1 back-8
    backgr+11 bad-2 basele-4 be_.+2 be_X-11 be_a+2 be_right+7 be_wrong-9 bear+8 becaus+11 been-4 been_W-14 behind+5
    being-7 belong+2 best+1 better-3 betwee+1 beyond-6 beyond_that-2 blank-5 body-1 both-8 bravo+1 broke-6 broken_.-4
    brothe+2 but+2 buzzer-12 by+1 by_X+9 by_the+5 c+8 c_.+2 can+19 card+8 certai+9 change_.+1 change_my-16
    change_my_mind-27 charge-3 check-5 claim+10 claim_.+3 closed+15 cold-12 conclu-11 concur+2 consid_it-7 contin+6
    contra+2 contra_,+11 convin-4 correc+3 correc_.+10 correc_:-4 could-7 count_it_as+4 crosse+2 date+1 days-3
    decisi-1 declin-3 denied-7 did+8 did_it-9 did_not+2 differ+2 disagr-7 disput+6 do+11 do_i-2 does+3 does_,+9
    does_not+2 done+13 down-2 drawn-1 each-2 earlie+7 else+3 empty-8 endors+8 endors_it+10 enough+4 entry-1 error-3
    escape_me-1 even+15 every+15 everyb+6 everyt+5 exactl+11 expect+4 eyes-3 fact_.+5 failed-3 failed_to+10 falls-9
    false-23 false_.-2 far-4 final-6 first+5 fit+5 fits+2 flat-1 for+1 for_Q-1 for_X_,+14 for_X_.-2 for_it+1
    for_once+16 for_you-3 forbid-4 forgot+1 found+2 from+4 from_X+2 full+4 furthe+1 genera_.-5 gets+2 give+5 give_up-4
    glad+23 gladly+5 going-10 good-5 got+2 got_it+5 had+1 hands-1 has-1 have-3 have_been-3 have_no-3 he+2 head_.-1
    heard+4 hearsa-4 heart+5 held+6 hence-1 here-3 hints+7 his+7 hold-3 honest-1 host-6 i-6 i_W+4 i_agree+1 i_am+1
    i_am_not+8 i_answer+5 i_beg-9 i_beg_to-5 i_concur+3 i_declin-2 i_declin_to-14 i_disagr-14 i_do+11 i_do_not-21
    i_doubt-20 i_go+6 i_go_with+2 i_have-4 i_know_better-2 i_know_it+3 i_name+1 i_need+11 i_never-6 i_nodded+9 i_not-5
    i_not_.-3 i_not_take+6 i_repeat+5 i_say+3 i_second+3 i_see-3 i_share+23 i_take-14 i_was+8 i_will+13 i'm-7
    i'm_going+15 i'm_not-9 if_W+1 if_you+9 ignore-13 imposs+1 in+4 in_#+25 in_X+4 in_its-8 in_the_X+4 in_this-12
    incorr-52 incorr_.-1 indeed+18 intend-8 is-1 is_#-4 is_W-5 is_X-1 is_a-5 is_about+2 is_all-20 is_altern_of-10
    is_asked+6 is_in+4 is_my+3 is_my_reply+23 is_not-5 is_right+11 is_the+1 is_what_i-3 is_what_the-7 is_wrong-70 it+2
    it_,_and-10 it_.+2 it_W-1 it_as+11 it_as_my+16 it_as_the+9 it_at+4 it_belong+1 it_breaks-9 it_down+4 it_has-2
    it_has_no-14 it_is+12 it_is_.+21 it_is_W-11 it_is_X-16 it_is_a-15 it_is_the+11 it_might-32 it_never-2 it_not-6
    it_out-1 it_right+11 it_stands+11 it_to-2 it_up+10 it_was_X-7 it_was_a-12 it_was_the+3 it_wrong-6 it's+6 it's_O+4
    it's_W-9 it's_X-24 it's_X_.-1 it's_altern-1 it's_altern_of-4 it's_correc+5 it's_my+31 it's_right+14 it's_the+18
    it's_the_W-9 it's_the_X-23 it's_the_answer+1 its+2 its_X+7 judge-8 just_kiddin-42 kept+13 kiddin-4 know-1
    know_better-1 known+5 knows-1 latter-2 least+1 leave-2 leave_it-14 leave_the-1 leaves_no+1 left-1 less+8 line-5
    line_is-4 live-1 lost-4 make-8 making+9 mark+2 marked+12 match+3 matter-5 may-1 me-3 me_.-7 meant-3 might_be-2
    mind-19 mine_is+12 missin-23 mistak-7 mistak_.-1 moon_is-1 mornin-2 much+7 n_.+5 nah-15 name_to+10 naming+11
    need+1 neithe-5 new_X+2 no-4 no_,-5 no_.-14 no_W+2 no_answer-37 no_idea-12 no_need+8 no_reply-8 no_view-8 nobody-4
    none-2 nonsen-22 nope-23 nor-5 not-5 not_.-7 not_W+9 not_X+36 not_X_.+1 not_a+2 not_accept+1 not_answer-9
    not_have+6 not_it-15 not_it_.-2 not_kiddin+11 not_know-3 not_mistak+31 not_my-7 not_put-10 not_say-2 not_say_X+1
    not_so-10 not_tell-7 not_to+6 note+3 nothin-9 nothin_else+40 now_.+2 obviou-10 of_X_.+2 of_X_not+1 of_it-4
    of_these-4 off_.-7 off_X+10 off_the+3 often+7 on_.-1 on_X+10 on_X_#+8 on_it+14 on_the+3 once+16 one-1 one_,-10
    one_.+4 one_of-2 only+4 only_the+6 open-7 opinio-2 opposi+5 option-6 or+1 origin+4 other+3 other_.-1 out_.-3
    out_and-2 out_of-2 over+4 overri-2 overru-8 overtu-2 own-8 page-3 pass-4 passed+9 perfec+8 phrase+8 pick+4 place-4
    please-2 positi+2 possib-41 precis+12 premis-12 prints+1 proper-9 put_it+8 put_it_down+4 questi_:+1 ratifi+15
    read-7 reads-4 real-13 really-2 refute-11 relate+15 releas+1 replac-10 reply-2 reserv+27 resist-1 respon-3
    result-16 right_,_and+4 right_.-2 right_one+3 row-2 s+6 s_._W+7 sadly-12 sadly_the-5 said-1 same+8 sank-10 say+3
    say_.-10 say_X-18 say_X_.-2 say_it+6 say_so+17 says-5 scratc-43 scratc_that-19 search+3 second_though-17 see+4
    see_also+7 seriou-10 serve-1 served+10 she+8 shook-20 should-3 should_,+2 should_be-1 side+5 simply-11 six-2 so+1
    so_,_and+14 so_X-13 so_too+2 soluti-1 soluti_is-14 some+18 somebo-6 someth-10 sorry-15 source+1 source_:+1
    spot_on+11 stand_by+8 stay-6 stays+2 step+8 submis+6 submit+2 substa-1 such-6 suppos+6 surely_not+23 t+11
    take_that_back-14 teache+4 tell-4 tell_me-1 tell_you+7 test-4 text-1 thanks-3 that_.+3 that_back_.-5 that_is+3
    that_is_my+12 that_is_the+16 that's+10 that's_a-7 that's_it+30 that's_my+11 that's_my_answer+4 that's_no+7
    that's_not_it-14 that's_right+9 that's_the+7 that's_the_answer+5 that's_wrong-65 the+1 the_#+6 the_W+3 the_W_,-6
    the_W_W-3 the_X+6 the_X_:+5 the_X_of+9 the_answer_.+2 the_end-11 the_first+8 the_first_.+2 the_quiz+2
    the_record-18 the_remain+2 the_second+1 the_soluti+2 the_soluti_.+3 the_teache+6 the_true-17 their+7 them-1 then-9
    then_W+1 then_again-1 then_i-6 there_you+3 there'+1 these-4 things_.-3 think-3 thinki-4 this_is+2 though_,-11
    throug+4 to_:-5 to_X_.-2 to_find-15 to_it+13 to_say+7 to_that+5 today_.+1 told_you+16 too_.+5 took+1 true+13
    true_.+2 truth-1 truth_.+5 try-10 two-1 unansw-3 undeci-2 unknow-16 upheld+19 used+5 uses+3 usuall+7 value-4
    verifi+6 voice+1 wait-16 wanted-4 wants-1 was+2 was_.+3 was_X-6 was_a-4 was_an-13 was_right+8 was_the+11
    was_wrong-37 was_wrong_.-4 way+5 we-3 well+10 well_,-18 well_.+4 were+2 what_i+3 what's-5 whatev+1 when+1 where+3
    where_i+14 which-3 which_i-6 whiche-12 while+7 who+2 whoeve+3 whole+3 with-1 with_X-1 with_it+12 with_it_.+1
    withdr-10 won+6 would+7 would_have-3 write_X-2 write_it+17 wrong-2 wrong_,-6 wrong_.+8 wrongl-5 yeah+3 year+3
    yep+20 yes+28 yes_.+4 yet-13 yields-1 you-1 you_.-11 you_have+10 you_need-3 you_not+4 you_the+8 you_want-1
    you_wanted-1 you'd+1 you'll-3 younge+12 your-6 your_questi_is-1 yours-4 zero-15 |_\n_|+5""",
    "": r"""asks-6 bare+10 bare_rival-4 bias+2 first-4 has_question-9 has_words-10 last+8 less-11 more+31
    rival_before+4 rival_behind-3 rival_later-1 rivals_1+8 rivals_2-2 rivals_3+2 twice+28 unknown_1+5 unknown_2+2
    unknown_3+4 unknown_4+5""",
    "b:": r"""\n_#_R-2 \n_(-2 \n_(_#-10 \n_*-6 \n_>_X-6 \n_R-1 \n_answer+12 \n_left-16 \n_the+2 "+6 "_X+5 #+1 #_.+5
    #_._X-11 #_:_X-10 #_;_R-16 #_X-2 '+5 (_W-6 )+1 ,+2 ,_W+1 ,_X_,+6 ,_X_.-1 ,_X_;-7 ,_and+2 ,_as-8 ,_no+6 ,_not-4
    ,_the-4 ,_who+4 -+1 .-3 ._\n+6 ._"+2 ._#-1 ._(-19 ._=-15 ._R-6 ._R_#+29 ._R_(+7 ._R_.+7 ._R_:+6 ._R_is+1 ._X_\n-5
    ._X_,+8 ._X_.-1 ._a-1 ._actual+10 ._air-5 ._air_X-12 ._altern-36 ._answer+25 ._at+6 ._final+11 ._for-5 ._i_W+2
    ._i_know-6 ._i_mean-4 ._i'm+4 ._it_not+11 ._it's_R+5 ._its-5 ._no+4 ._one+6 ._the_X-2 ._the_answer+5 ._then+7
    /_X+12 :-2 :_\n_-+1 :_#_.-8 :_X-7 :_X_\n+1 :_X_.-13 :_X_;-9 :_X_of-1 :_X_the-5 :_altern-1 :_altern_of-4 ;_\n-3
    ;_O+4 ;_R-9 ;_R_.+1 ;_R_came-9 ;_R_was-3 ;_X_;-13 ;_i+10 ;_it+1 ;_not-14 ;_only-14 ;_the+6 ;_the_W-5 ;_the_X-17
    ;_the_one-14 ;_with-6 <+4 ?+2 ?_\n+4 ?_R-1 ?_R_?-3 ?_no+16 O+3 O_\n+24 O_O+3 O_X+6 Q_;-8 Q_?+11 Q_Q+15 Q_it-1 W-1
    W_.-1 W_:_X-3 W_;-2 W_;_R-3 W_W+1 W_W_;-1 W_W_W-1 W_for-9 W_is+5 W_with+6 X+2 X_\n-6 X_\n_#-4 X_\n_(-2 X_\n_--4
    X_\n_R+3 X_\n_X-5 X_#-2 X_#_.-11 X_(+4 X_,_X+7 X_.+3 X_._\n+2 X_._#-12 X_._R-11 X_._X-1 X_._and-7 X_:+6 X_:_X+4
    X_;-10 X_;_#-13 X_;_R-12 X_;_X-8 X_;_i+4 X_=-5 X_?+4 X_Q-2 X_W-1 X_and+9 X_is+6 X_is_W-1 X_is_a+3 X_no-20 X_of_X-4
    X_was+1 X_with-5 X_|_X-7 a+2 a_)_X+6 a_W-2 a_X_.-1 about_it+8 advoca+6 after-9 again+11 air_X-2 all-6 an+4 and+4
    answer-1 answer_\n+10 answer_.-5 answer_:-3 answer_:_X+2 as+1 as_X+12 as_it-7 asked+2 ballot-2 bar_.+1 before+3
    best-2 by+3 came+5 certai-6 cf_._R-21 change+11 check+3 choice-4 clue+2 could+1 count-2 course-15 cries+8 dead+3
    disput_X-6 do+2 doubt+8 drop+2 during+8 e_.-3 every-8 everyo+1 exclud+9 fake-4 favour+2 first+3 first_;_R-1 for+4
    for_it-4 for_your-8 found+1 g_._R-28 g_._X+7 genera+2 grader+4 had+4 has+5 have+1 hedge+2 here's-1 hmm+2 hold+3
    hour+1 i+4 i_not-1 in+4 in_#+4 in_X_.-3 in_the+2 in_the_X+15 into+5 is_X-7 is_a+10 is_altern-5 is_altern_of-7
    is_in-4 is_it+3 is_the_W-5 it-3 it_,-2 it_._R+5 it_._it-9 it_;-7 it_is_X+8 it_not-6 it_out-1 it_was+2 it's-6
    it's_not+21 keep+3 knock_.-7 knock_knock-3 label+11 last+3 let+4 let's-2 letter+3 line-4 loose+1 made+1 maybe+11
    me+1 me_.-4 me_X+4 medal-4 mistak+4 most+1 must-1 my_neighb+1 needed+9 no_,+7 no_.+3 nobody-11 none-1 not+4
    not_W+1 not_X_?-18 not_know-8 nothin+5 of+4 of_X_\n-1 of_X_.-2 of_X_;-5 of_genera_;-3 of_the_X+10 old+3 on_.+6
    on_X+4 one_,-1 or-1 over+4 points-8 put+1 put_X+2 reason-1 rememb+5 reply_.-7 rest+2 said_X+12 satisf-10 say_X+6
    says+7 severa+15 should-4 six-2 six_X-6 slip+4 so_.-1 source-3 sugges+7 take-10 than-1 the+1 the_Q+6 the_W_.-1
    the_X_.-1 the_X_;-3 the_answer-1 the_questi-3 the_thing-3 the_two-1 there_.+7 there_are+2 they+2 think+3
    this_is_a-10 three-8 time_.+3 to+5 to_X-1 to_X_.-1 to_be+1 too+1 trick-2 tried+2 two_W+2 u+18 unknow-3 up+1 used+1
    versio+1 vote-5 wait+8 was+2 was_X-4 was_a-1 we+2 were+4 what-3 what's-5 when+6 who_or_what-4 whoeve-5 with+2
    with_X+9 with_no-13 withou-3 word-1 would+13 wrong+3 wrong_;-2 wrote+6 yes+1 you+2 you_have-12 you'll+8 your+3
    |_X_|-2""",
    "l:": r""""-4 "_:_"+13 #-2 #_#+6 #_%_,+1 %+3 %_,+1 &-2 '-4 (-6 (_)-25 (_x_)+8 )+2 *_*+22 ++12 ,+2 ,_W-9 ,_W_by-3
    ,_W_in-5 ,_W_of-1 ,_X_,-4 ,_and-8 ,_but-1 ,_i_mean+15 ,_i'd_say-15 ,_is+2 ,_it_is+3 ,_it_not-9 ,_it_was+8 ,_it's+4
    ,_it's_not-12 ,_no-8 ,_not-16 ,_on-1 ,_or-1 ,_over-13 ,_says+4 ,_so_it's+10 ,_sorry-30 ,_this-3 ,_to-4 ,_while-3
    ,_with-14 --7 -_up_:-2 ->+20 /+6 :-3 :_"+1 :_R_,+34 :_W+5 :_X_,-1 :_a+5 :_is_it+8 :_it_was+3 :_the+6 >_>-5 O-2
    O_X+9 R-13 R_#-7 R_,-1 R_,_W-3 R_,_and+6 R_,_so-2 R_X-6 R_and+11 R_for-8 R_is-12 R_or+26 W-5 W_,+3 W_W_of+3
    W_about-1 W_and+2 W_around-4 W_at-1 W_by-1 W_from-6 W_says-10 W_the-7 W_to-2 W_when+2 W_with-3 X-4 X_&-21 X_,_or-1
    X_,_then-5 X_/-9 X_O+9 X_W-5 X_W_:-2 X_b_)-34 X_by-5 X_from-14 X_of+4 X_or-13 X_over-13 X_said+2 X_where+8 X_|+3
    ^+11 a-8 a_)+13 a_:-1 a_W_,+17 a_W_called+23 a_W_for-7 a_W_of+8 a_X+4 a_X_on-15 absenc-1 absent-3 accept+4
    accord-3 actual+16 added+1 admitt+3 after-4 after_is+6 agains-5 agree_on+5 agreed+10 ahead-21 akin-6 allege-3
    allow+15 almana-3 alongs-6 also-9 altern-5 althou-15 always+1 amende+10 among-7 an-11 and+6 and_#+7 and_affirm+6
    and_it_not-14 and_not-6 and_say+6 answer+10 answer_,_with-8 answer_:-6 answer_=+12 answer_by+1 answer_was-5
    anythi+6 anythi_beside+4 anythi_but-23 anythi_other_than+8 apolog-8 applau+11 applie+5 apt+17 arrive+15 articl+1
    as-2 as_for-4 as_oppose_to-11 asked+5 assist-3 astoni+4 at-6 at_W+5 at_the-8 attack+11 auctio-16 authen+11
    avoid-12 away_from-40 aye+13 b+10 back+5 back_,-12 back_on-2 backgr_:-2 bad-31 badly-8 balanc+4 bar+7
    be_anythi_but+1 bear_out+22 beats-15 before-8 behalf-8 being-2 bell+1 belong+7 below-2 bet+4 betwee_R_and-2
    beware-12 big+12 bill+17 bin-1 blame+11 blank+6 blow+1 blunde+12 board+6 book+2 both_X_and-32 bound-3 bound_for-1
    boxed+13 branch-4 breath-9 briefl-7 brilli-5 brothe_says-14 budge+47 burned-6 but+14 but_not-6 by-4 by_no_means-18
    by_the-11 cache-5 called-1 came+5 came_from+18 can+2 cancel-1 candid-6 cap+4 captai+1 card+3 cards+2 celebr-28
    cell+4 certai_about+10 certif+13 challe-10 champi+10 chance-8 change-1 charac-6 check-5 checke+11 choice+4
    choose+5 chorus-17 chosen_:+7 circul-6 city+7 claim-1 claime-6 claimi-2 claims-5 clash-9 clause-6 cleare+6
    clearl+8 client-2 close-11 closed+9 clues+2 cold-8 collea-17 colloq-2 column-5 come+9 comes+15 commen_on-13
    commis-19 common-16 compan-13 comple+10 comput-16 concei-9 conclu+4 conclu_that+3 confes-1 confla-2 confus-7
    confus_it_with-4 confus_with-7 congra+6 consid-7 consul-1 contai-6 contem-4 conten+5 contex-9 correc+11 correc_:+8
    could_it_be-2 counte_of-8 cousin-1 cover-4 credit+1 critic-8 cross-3 crosse_out-3 crown+6 curren+4 dark+6 data+5
    dawn-1 day-2 dear-9 decide+4 declin-3 decoy-11 dedica_to-8 defaul-7 defini+3 delete-12 demand+9 denial-1 depend-2
    desert-1 despit-21 detail-7 detour-6 did+7 died+2 disavo-16 discar-2 discre-13 discus-9 dishon-7 dismis-18
    displa-4 dispro-2 disreg-18 distan-4 distin-8 distra-19 do_with-17 docume+1 double-5 doubt_:+13 doubt_it's-6
    doubt_that+5 down_to+4 down_with-18 draft-15 draft_:-3 dummy-7 earlie-6 earth+2 easily-7 edged-8 edges-3 editio-12
    editor-15 effect+10 either+11 either_X_or-8 else's-22 empty-6 end+3 ended+13 endors+10 ends_at+10 enemy-3
    enough-11 enter+12 entert-20 entry_:-7 equals+6 erratu-3 errone-1 error-9 error_:-4 even-3 event+3 ever-2 everyt+2
    everyt_on+7 ex-2 examin+12 exchan-11 exclud-15 expect-8 expect_:+13 expert+7 explai-2 fact+9 facts+5 fail-10
    falls+9 false-15 famous-4 fans-2 far-2 fatal-4 father-2 favor_of+3 favour_of+7 feared+20 few-1 final+11
    final_answer_:-19 finall+13 find+4 finish+3 first-10 fits+10 five+2 folklo-3 fool+4 for_O+10 for_the-6 forbid-18
    foreca-1 forged-11 forget-3 forgiv-10 former-11 forms-5 from_R_to+3 full+18 fun-9 furthe+3 furthe_than+11 gap+16
    gave-2 genera+8 genuin+2 get+8 ghost-2 give_up-14 given-1 gives+6 glad+1 glance+4 go+5 go_with+10 goes_to+18
    going+1 gold+20 good+2 google-1 gossip-13 got+2 grader-1 greyed-8 guess+4 had-9 had_been-7 had_to_be+21 half-4
    hand+1 happen+11 happen_in-1 happil+3 has+1 has_to_be+16 hat+5 hats+1 have-2 have_said-8 having-9 hazy-6 he'd-2
    hear-11 hence+2 her-7 here+2 hint-6 hint_:-4 hints_at+4 his-6 hold+16 holds-1 honest+7 honour-3 hoped-6
    house_on+11 i+2 i_W-3 i_abando-4 i_almost_said-4 i_believ+14 i_believ_in-9 i_commit_to+7 i_discar+13 i_disput-4
    i_doubt-18 i_keep+13 i_mainta+19 i_meant+15 i_name+10 i_nomina+15 i_not_say-17 i_plump_for+5 i_prefer+25
    i_regret_saying-1 i_reply+5 i_said-2 i_say+14 i_see+3 i_stand_by+14 i_take_back-6 i'd+3 i'd_go_for+1 i'd_guess+5
    i'm+1 i'm_sold_on+5 if-4 if_it_not+58 if_it's-30 ignore-3 imagin-1 implie+1 in_,-23 in_R_,-21 in_favor_of+8
    in_favour_of+20 in_practi+1 includ-10 incorr-35 index-1 initia-15 inquir+2 inscri-14 insert_:+1 inspir-10
    inspir_by-11 instea-4 instea_O-8 intend+3 interp-4 into+4 intuit-6 invent-7 is+6 is_,-7 is_W_by+7 is_it-9
    is_what-10 it+1 it_,+6 it_:+16 it_be-5 it_could_be+12 it_is+5 it_may_be+35 it_not+1 it_not_be-9 it_says+3
    it_up_:+4 it_was+13 it_were-3 it'd-2 it's+2 item+8 its-3 itself+3 jettis-14 judgme-3 jury+3 keep-1 key_has+1
    keywor-22 knee-1 know+1 knowin-2 knows_it's+1 laid-16 landed+1 later-8 laugh+19 laughe+16 laurel+7 lead+1
    lead_to+7 leads+6 leanin+7 least-9 leave-10 led_to-4 left-2 left_on-18 left_with+12 legend-15 length+5 lies+4
    lieu-6 like-4 likely+2 likene_to-3 line+1 line_,-12 list-5 listed-10 lock+2 lol-6 long-5 longer-1 lookin+7
    loosel-16 lose-10 low-8 make_that+7 man-1 many-1 margin-25 matter+2 may-3 maybe+7 me+1 measur+4 medal+4 meets+3
    mentio-14 messag+5 method+7 might-4 mind-1 minds-1 mine+5 miscon-29 misrem-1 mistak-7 mistak_for-15 mistoo+18
    mix-5 money-3 more-1 much-16 must+6 my+1 my_W_on+13 my_mind_:+9 myself_,+1 myth_,+13 nah-6 nail+6 name_of+12
    name_to-5 namely+6 names-8 naming-4 narrat-4 needed+5 needs+1 negati-5 neighb-6 neithe-6 never-20 new+5 newer+10
    next-10 next_to+3 nickna-3 no-4 no_,+31 no_means-4 no_way_it's-17 nobody-15 none-5 none_other_than+18 none_to-20
    noon+5 nor-15 not-12 not_,+2 not_confus+30 not_on-6 not_that+38 not_the-10 not_vouch_for-16 nothin-3 nothin_:+5
    nothin_about-10 nothin_but+5 nothin_of-8 notwit-1 novice-3 now+14 nowher-12 oath+6 object-11 obscur+24 of-4
    of_all-6 off-7 off_on+2 off_to+14 offici+8 often-10 oh-7 old-16 older-7 on-1 once-4 ones+7 oops+5 opened+8
    opinio-1 oppose-2 oppose_to-1 opposi-9 or+8 or_rather+37 ostens-8 other_than+11 others-1 otherw-1 ought+14 ours+7
    out+4 out_,+12 out_for+18 output+14 outwei-20 over-3 over_to+5 oversh_by-5 p+2 pace-7 panel-5 parody-5 part-3
    passag-1 people-13 per-1 perhap-2 persua+13 pictur-5 placeh-7 plain+1 plaint-10 played-2 plump_for+2 point+1
    pointe+7 points+4 points_to+8 ponder-5 popula-12 possib-11 preced-14 presen+7 preten-10 pretty+8 previo-45
    print_(_"+19 prints-7 prior-24 prize+1 promot+3 pronou+2 proof+4 proper+1 pupils-1 put+8 puzzle-2 qualif+4
    quarre-7 questi+4 questi_,+2 quietl+13 raised-6 ran-7 rather-1 rather_than-12 reache+8 read+3 readin-3 reaffi+4
    real+7 realit+5 record+1 red-13 refer-5 refere-3 refuse-10 regist+3 regret-9 reject-31 reject_:-3 relate-26
    releas-8 reluct-15 remain+6 remark-9 renoun-13 replac+1 reply+5 report+1 repudi-15 reques-6 reserv-2 respec-5
    respon_:+5 rests+2 return_"+5 reveal+7 rhymes-7 rhymes_with-7 right+10 right_,-7 right_after-12 right_on+2
    rightl+27 rock+6 role+1 roll+35 round-2 route+21 rule+8 rule_out-11 ruled_for+13 rumor-17 rumour-9 runner-24
    s_/-44 sage+3 salt+9 save+1 say-4 say_about-9 say_anythi_but+27 scarce-4 schola+7 scoreb+1 scrap-21 scruti+11
    search-8 second+3 see-10 seen-2 select+5 sender-7 senten-7 separa+1 sequel-6 set+1 settle+1 settle_on+17 shaky-14
    shame-16 should+5 shown+1 shows+11 siblin-3 side_,+2 side_of+11 signs+8 silver-24 simila-1 simila_to-35 single+4
    sings-1 sister-7 skepti_of-12 sketch-3 skip-24 small_,+5 so+2 sober+20 solid+14 soluti+3 some-16 some_say-7
    somebo-8 someon-3 someth-10 someti-8 song-2 sooner-1 sorry_,+1 sounds+3 source-1 spare-3 split-8 spot+1 stand-8
    stands+13 stands_for+15 stick+6 sticki+4 still+2 stop-8 storm-11 story-1 straig+8 strong+2 studen-6 subjec-3
    submit+8 subseq+4 subtit-8 such-2 sugges-2 superf-4 supers_by+23 superv+2 suppla-24 suppos_it_not+17 sure_it's-2
    surely-1 surer+9 swap-4 swappe-8 swear_by-3 swears-8 switch+1 switch_to+12 sworn-5 t-5 take_back-23 taken-1
    takes+1 talk-2 talked+4 tally+7 tea+2 tempte-7 tempti-7 ten+4 terms-1 text+4 text_,-2 textbo-5 than-1 thanks-5
    that-4 that_it_is-25 that_it_not+26 that_it_was-4 that_it's-6 that_of+6 that_was+3 that_would_be+7 the_W_,+10
    the_W_for-7 the_W_was+17 the_X+4 the_X_of-1 the_X_on+5 the_X_or+17 the_answer_is+1 the_case_for+3 the_origin+3
    the_side_of+9 their-4 them_:+1 there_are+9 there_was-25 there'-6 these+10 they+3 they_W-2 they_say-8 they'd+4
    thin-2 things-2 think-13 thinki_of+5 thinks_it's-15 third+10 this+1 this_to+2 those_of+4 though-9 threw-14 tick+20
    tied-4 to_answer-6 to_answer_:+2 to_do_with-13 to_drop+24 to_pick-2 to_put-5 to_say-1 to_write-6 today+5 today'+8
    told-3 top+7 torn-11 torn_betwee+3 toyed-8 trace-10 tradit-2 train-6 transl-2 travel-20 tree+5 tried-5 true+14
    true_,-26 trumps-17 try-8 turnin-4 turns+8 two-5 typo+3 typo_for+1 uh+1 ultima+1 unable-8 under-1 undern+4
    undoub+6 univer+10 unlike-4 unrela-7 up-4 up_X_and-9 up_with+1 upon-2 usage-1 used-2 used_to_be-1 usuall-7 v1-18
    vain+2 value+1 vanish+6 vanqui-17 verdic+2 veto-23 vetoed-15 visito-2 wager+7 wanted+8 warn-11 was+6 was_W_,-14
    way-4 way_to+8 we+4 were-3 what-1 what's+10 whatev-19 when-2 where-5 whethe-16 which-3 which_W-3 which_leaves+7
    while-4 whispe-13 white-4 who+1 whole-7 whose-5 widow-10 window+8 winner+2 with-2 withou-6 witnes+9 word_is+17
    wordin-7 workin-5 world-6 worry+1 worst-17 would-4 would_have_been-40 would_say-4 write+7 writte+4 writte_by+1
    wrong-8 wrong_,+12 wrongl-1 x+8 year-1 yes+5 yes_to+2 yester-5 yet+7 yields+21 you-1 you_:+3 you_get+4 you_see+4
    you_to-1 you'll+1 you've-3 younge-7 your-6 yours-11 zero-8 |_X_|+8 ~~+2 →+27 ☐-14 ✅+14 ✓+2""",
    "ll:": r""""-3 #-2 (+1 )+8 *+8 ,+6 -+3 :+4 =+7 >+4 O+10 Q+1 R+4 W-1 X-4 a+10 abando-8 above-13 accept+5 admire-12
    after-8 again+5 agains-7 agree+2 air+5 all+3 allege-13 almana-12 altern-1 always+4 among-11 an+17 and+1 anyone-16
    anythi-8 around+2 as-5 ask-1 associ-2 assume-2 at+7 attack+4 attemp-2 attest+9 author+10 avoid-19 ballot+12
    bears+13 beat-14 become+9 behalf-3 being-1 belong+28 best-11 bound-7 brothe-13 brough-8 by+10 called+3 cancel-4
    cannot-24 certai+4 challe-3 chance-11 charge+10 choice+5 choose+3 chose+14 circle+2 claim-3 claimi-1 claims-3
    class-9 classi+9 clue-1 collap-1 commit+6 compar-10 conclu+2 confir+1 confus+1 connec-16 contex-20 contra-22
    conver+7 corner-12 could-3 credit-1 cross-17 crosse-2 dead-7 debunk-9 declin-17 deduce+1 defaul-4 defeat-19
    defini+6 delete-15 denied-5 deny-6 descen-1 descri+15 dethro-16 differ+1 direct-4 disagr-9 disbel-13 discar-19
    discov+14 discus-6 disown-16 dispro-5 disqua-28 ditch-26 do+5 doubt-1 doubts+3 dr+19 drop-26 droppe-14 eclips-8
    elimin-29 else+2 elsewh-7 embrac+10 end+19 erase-4 establ+2 even-17 ever-1 every+6 everyo-11 everyt-1 except+9
    exclud-12 fall-10 false-8 fans-3 far+1 fast+3 favor+6 file-4 findin+4 finds+3 follow-3 fool-11 for-1 forget-26
    found+3 four+16 friend+5 from-5 front-6 furthe+4 gave-2 gold+2 google-9 got-1 guesse+5 gut+7 had-4 hands+1
    hardly-29 he-8 headli-3 heard-14 heir-5 hence+10 hint-3 histor+2 home+8 how-6 howeve-5 i+1 i'd+5 i'm+8 identi+8
    if-11 ignore-9 imitat-8 in+11 insert+1 interv-2 into-18 intuit-8 involv-1 is+8 issue-4 it's+9 its+1 just+1 kept+6
    key+2 kindly+6 knocks-2 label-6 last+24 late+1 later-5 launch-5 lean+1 legend-13 less-21 let-5 letter+1 lieu-2
    like-4 likeli+3 likely+21 list-6 locked-4 lol-5 long-1 longer-22 looked-2 make+7 makes+13 matche+12 may-1 maybe+3
    me+1 means+15 meant+20 mentio-5 might-1 mind-2 miscon-4 mislab-12 mistak+2 mistoo+1 more+2 mostly+29 much-2 must+4
    mutter-3 my+3 myth-8 named-10 near-31 nearly+16 necess-28 needed+1 needs+13 neithe-7 never-23 new+4 next-5 nine-1
    no-13 not-13 note-3 now+4 of-5 off-3 offere-18 omit-8 on-1 once-14 one+3 only+11 opinio+5 oppose-8 opposi-7
    other+13 out-15 outcom+6 outran-6 over-1 overlo+2 overru-1 oversh-15 page-1 painte-3 pass-4 past-38 pick+14
    place+11 placeh-4 plausi+16 plead+24 plump+6 point+3 positi+9 poster-10 preclu-25 predic-5 probab+2 promis-1
    prompt-9 put-5 read+6 real-6 realit+15 record+6 refuse-9 refusi-2 regard-10 regist+2 regret-10 reject+9 relate-5
    remain+8 remove-40 replac-2 replie-13 resemb-15 respon+1 result+5 retrac-20 return+9 rival-14 scarce-19 schola+2
    scratc-26 second+5 seems+9 select+10 seriou+3 sheet-1 shortl-3 should+21 showed+11 side+1 since-3 sister+11 sits+1
    six+2 sketch-12 so+1 some+6 sound-1 spare-1 strike-34 struck-12 submit+5 substi+12 superf-13 supers-14 suppor-5
    suppos-28 sure+6 surviv+12 suspec-2 swap-1 swappe-5 swear-1 takes+8 teache-5 techni+5 tempti-2 ten+9 test+3
    than-13 thanks-3 that's+9 the+4 them+2 then+6 theory-10 theref+6 they+7 thing+7 thinks-9 third+8 throug-16 to-5
    toss-4 total+7 toyed-1 trivia-5 truth+17 turned-9 turns+8 type-8 typed-9 typing-3 underl+1 unders+16 undo-10
    univer+1 unless+6 unlike-39 unlock-13 unrela-6 until+15 up-3 upheld+16 upon-9 us-3 use+8 user-5 v1-1 value+3
    vanqui-10 ventur-1 via-5 votes-3 wager+6 want+17 was-3 way-1 went+3 what-5 where+2 whethe-22 which-3 while-5
    whoeve+1 will+4 with-2 withdr-24 withou-2 word+3 would-2 write+3 wrong-7 wrote-8 yes+17 yet+2 your-1 yours-6
    zero-1 ~~+5 ≠-11 ☐-9 ☑+4 ✅+14""",
    "r:": r""""_#+13 "_(-4 "_)+1 "_)_\n+15 "_)_#+12 "_.-4 "_is-1 #-6 #_#+3 #_%_,-6 #_--3 #_-_#-17 #_.+4 #_/+17 '+2
    '_;-14 (+9 (_#+4 (_)-19 (_W+5 (_W_)+12 (_cf_.+4 (_not+28 (_see+18 (_x_)+5 )-7 )_.-22 *-1 ++7 ,_#-9 ,_#_%+3 ,_R-9
    ,_R_,+2 ,_R_.-2 ,_W+7 ,_W_,-20 ,_W_.-10 ,_W_R-3 ,_W_and-12 ,_W_by+6 ,_W_for-22 ,_W_in+3 ,_W_with+6 ,_X_,-17
    ,_X_.+2 ,_X_and-18 ,_X_or-36 ,_X_the-2 ,_a+2 ,_a_W+5 ,_accord+2 ,_accord_to+3 ,_after+10 ,_all-6 ,_an_W+2
    ,_and_O-1 ,_and_X-10 ,_and_every-9 ,_and_he+13 ,_and_i-3 ,_and_it's-12 ,_and_neithe+1 ,_and_never+6 ,_and_no+17
    ,_and_not+40 ,_and_pigs-6 ,_and_the-5 ,_and_then-4 ,_and_you+1 ,_as+8 ,_becaus_the+1 ,_but-8 ,_but_the-12
    ,_certai-8 ,_contra+11 ,_even+10 ,_even_if+4 ,_five-6 ,_follow+5 ,_for+11 ,_from+6 ,_got+25 ,_has-5 ,_having+16
    ,_hence+6 ,_i-13 ,_i_answer-1 ,_i'd-3 ,_if+2 ,_in_a+15 ,_it-20 ,_it's-10 ,_just+6 ,_just_kiddin-15 ,_maybe+3
    ,_my-3 ,_never+10 ,_no+17 ,_none+21 ,_not+16 ,_notwit+6 ,_on+4 ,_one+16 ,_our+2 ,_perhap+11 ,_rock-3 ,_says+4
    ,_since+12 ,_so-7 ,_sorry_,-1 ,_ten-15 ,_that-8 ,_the_X-5 ,_the_answer+3 ,_the_one+17 ,_the_real+8 ,_the_right+7
    ,_the_truth-4 ,_the_winner+10 ,_then_.+3 ,_they-15 ,_this-12 ,_though_X+15 ,_to+4 ,_two+23 ,_two_for+34 ,_univer-5
    ,_unless+22 ,_unlike+1 ,_was-5 ,_was_W-2 ,_where+5 ,_wherea+8 ,_which_W+1 ,_which_came+13 ,_which_i-4 ,_which_is+8
    ,_which_not-31 ,_which_was-19 ,_while_the-9 ,_whose+25 ,_with+15 ,_wrongl-5 ,_yeah-20 ,_yet-8 -_-+20 -_R+5 -_no-13
    .-2 /_R+16 /_X-11 :-1 :_#-9 :_R_\n+3 :_R_.-5 :_a+1 :_an+7 :_no-33 :_that's_the+4 :_the+4 ;-1 <_/_answer+10 >+10
    >_>+1 O+1 Q_it+3 W-7 W_,-5 W_,_R-4 W_,_and+3 W_.-6 W_;-1 W_R+11 W_R_,-11 W_X+19 W_from-3 W_in_the+7 W_like-5
    W_no+10 W_of-3 W_the-4 W_the_W-3 X-9 X_,+1 X_.+1 X_/+6 X_R-11 ^+10 a-7 a_W-1 abando+3 about+8 absurd-5 accept+11
    accomp+17 accura+5 acquit-17 actual-1 addres+3 admiss+9 adopte+9 affirm+7 after+7 again-9 agains+5 agrees+4
    ahead+18 all+4 allowe+18 alone+6 altern-5 althou+4 always+5 among-2 an-10 and+3 and_W+2 and_X-9 and_X_,+2
    and_X_.-1 and_X_are-12 and_agains+14 and_altern-2 and_back-4 and_found-6 and_has+2 and_is_the-20 and_not+34
    and_nothin+5 and_the_X-13 and_then-5 and_was+9 announ-2 anothe-19 answer+10 answer_this+4 any+1 anythi-2 apocry-14
    apply-2 approv+5 are+1 are_W-4 argued-1 as+2 as_an_answer+4 as_much_as-4 as_the+4 aside-13 asked+9 assert+4 at-7
    at_a+17 at_the+4 attrac-1 author+6 availa+9 away-6 back-11 backgr-8 backup-16 backwa-9 bait-13 barred-5 be-4
    beat+16 beats+22 becaus+3 before-1 before_X+6 began-9 behind-4 being-7 belong_to-6 bench-10 better+1 betwee+3
    beyond+7 board+3 bogus-2 border+3 born+12 borne+9 both+2 bottom-3 bow+11 branch+3 brings-15 brothe-3 bug-8 but-16
    by_a+3 by_a_mile+1 by_mistak-9 call+2 called-5 calls-2 came-4 came_first+7 came_out+3 came_second-9 can-8
    can_be_ruled-9 cannot-2 carele-7 carrie+16 cast+5 cause+8 celebr+4 certai+10 cheap+9 checke+4 checki-13 choice+8
    choose-2 chosen+3 claims-6 clashe-12 classi-4 clear+6 cleare-4 coin-5 cold-4 colour-8 comes_first+34 comes_out+16
    common-4 compel+2 conced-14 conclu+14 condit-1 confir+2 conque+5 consid-11 contin-3 contra-10 copies+16 correc+8
    corrob+10 cost-14 count-7 countr+7 counts-1 course+4 credit+3 cross+7 crumbl-37 curren+2 cuttin-13 date+3 dead-2
    debate-3 debunk-15 decade-6 decoy-24 defect-15 defend+7 defini+5 delete-18 delive+2 demons+8 denied-3 descri+5
    deserv_the+4 detour-6 did+4 did_,+4 did_.+5 did_not-11 differ-8 direct+2 disapp-20 discar-20 discus+5 dismis-9
    displa+2 disqua-10 distin+1 distra-3 do+4 docume+7 does+4 does_.+4 does_not-13 done+7 door-9 doubt-1 down-7
    dozen+8 draft-6 droppe-5 drops-4 dubiou-15 each+14 early-7 earned+24 easy+2 edges+22 electe+5 elimin-13 elsewh-19
    empty-14 encycl-8 ended-5 err-6 error-18 escape+8 establ+4 evapor-4 event-2 ever-10 everyt+9 exact+1 exclud-19
    expert+1 explai+2 eye+1 fact+12 fades-11 failed-25 fails-27 fake+10 falls-34 false-20 falsel-4 famous-5 fans-5
    fatal-23 fell-8 few-3 fictio-29 figure-1 file+5 final+16 find-1 finger-4 fire+17 fits+10 fixed-9 flies-2 floor-4
    flunks-3 folklo-14 fool+7 foot-23 footno-4 for-1 for_R-5 for_R_.+10 for_X+2 for_X_.+5 for_good+18 force+2
    forgot-12 forms+5 forty-4 founde+18 four-3 friend+7 fruit+3 full+7 fully+2 garnis-11 gave-5 genuin+8 gets_my+19
    gets_the+3 give+4 gives-5 glitte-9 glove+19 goes+7 going-4 gold+8 gone-6 good+4 got-2 govern+12 grant+6 green+19
    gut-11 had-10 had_it+3 half-8 halfwa-6 hardly-4 has-9 has_a-1 has_been-3 has_it+13 has_my+16 has_nothin-2
    has_the+18 hat-12 have-1 hearsa-10 held_the-1 here+3 here_.-4 herrin-2 him-2 his+4 hit+24 home+1 honour-8
    hundre+11 i+1 ice-1 identi-3 if-2 improb-7 in+1 in_W_,+1 in_all+6 in_favor+1 in_it-14 in_its+11 in_the_X+5
    inadmi-12 includ_.-3 incorr-3 indepe-8 inferi-8 insert-3 intend+7 into-1 invali-9 irrele-10 is-4 is_,+2 is_.+14
    is_O+6 is_R+10 is_W_by-5 is_W_in-5 is_a-5 is_a_better+22 is_a_fact+9 is_an-5 is_beside-14 is_correc+23
    is_credit+14 is_exclud-3 is_given+5 is_half-18 is_hot+2 is_how+6 is_imposs-5 is_in+8 is_it+17 is_meant+27
    is_mistak+5 is_my+30 is_no+19 is_not-10 is_nothin+14 is_off-16 is_out-33 is_outdat-6 is_right+13 is_the+15
    is_the_W-2 is_the_X-8 is_the_answer+1 is_the_key+1 is_the_name+2 is_the_one+6 is_the_reply+2 is_the_trap-8 is_to+7
    is_too-6 is_wanted+4 is_what+20 is_what_W-7 is_what_i+1 is_what_we+4 is_what's+12 issue+11 it+1 it_.-2 it_is+29
    it_is_not-19 it's+3 jammed-10 judgem-7 just-2 know-4 knowin-11 known-4 lack-7 lacks-16 larges+18 last-3 late-17
    later-11 leave-3 leaves-2 leaves_me-4 left-6 legit+9 less-16 let-5 letter-3 life-13 lock+1 lookal-14 looked-4
    lookin+7 lost-20 lot+3 low-24 made_the_W+2 matche+7 maybe-3 me-2 mean+4 member-10 mentio-7 merely-5 merits+1
    mile+1 mind-8 mine+8 mirage-5 miscon-2 mislea-19 mispri-1 missed-5 misses-13 mistak-2 money+2 more+2 most-5 must-3
    my+3 named-2 natura+12 near-1 neares+3 necess+40 need+9 needed-6 negati-4 net+6 never-3 next-3 nil-31 no-9
    no_longer-25 nobody+1 nod+14 noise-5 none-3 nope-6 nor-14 nor_X-4 not-11 not_be_right-2 not_been+20 not_do-7
    not_in+10 not_it-21 not_someth+13 not_the_answer+43 notes-4 nothin-2 notwit-4 nowher-23 null-7 number-4 of_X+10
    of_altern+1 of_altern_of+3 off-10 office+15 offici+1 often+4 oh-8 on+1 on_the-2 once+2 one+2 ones+1 only-13
    only_.+14 only_W-17 opposi-3 or-5 or_#-13 or_R+1 or_R_.+1 or_altern-1 or_any+2 ordere+14 origin+6 ought-6 our+1
    out-10 out_.-7 outcom+7 outdat-15 outwei+2 over+6 overra-7 oversh-6 overtu-5 p-6 paid+4 part-9 partly-9 path-1
    pencil-6 penned+8 people-7 per+19 perfec+13 pick+3 picked+12 pictur-9 place+6 plainl+7 plays_the+3 please-5
    podium-6 point-4 points-6 popula-6 positi+13 post-4 prefer+15 prevai+23 profes-1 proof+7 proper+4 quashe-11
    questi+1 quiz-3 ran-13 rarely+2 rather_than+10 reache+4 real+4 reason+5 record+2 red-17 reflec-10 refuse-2
    refute-9 regula+4 reject-15 remove-9 replac-18 reply+7 reques+3 rests-1 retain+12 retrac-12 return-4 revoke-2
    right+8 rival-22 room-11 round+1 ruled-2 runner-6 s-12 safe+2 said-5 same-7 satisf+1 saw+1 say-4 saying-2 says-9
    school-4 scratc-5 second-10 see-4 select+4 series+5 set-3 severa-7 shadow-12 shall-4 she-8 sheet-4 shelf-19
    shelve-5 should-4 show-2 shows-2 side-5 silenc-2 silver-15 single-2 sister+6 six-6 slip-1 slippe-13 slots+11
    small-5 smoke-5 snow-1 so+3 solid+24 soluti+3 some-1 someon-4 someth-4 somewh-7 sought+6 sound+16 specif+4
    spite-16 spring-3 standi+8 stands+6 stands_.+1 star+3 starte-2 starti-6 state+18 statem+1 still-3 stoppe-10
    story-8 strang-2 strong+11 struck-5 stumbl-5 subjec+7 submit+9 sugges-7 sure+1 surren-9 sworn+1 table-1
    takes_the+11 target+2 taste-1 tempti-19 ten-2 test-1 text-3 than+17 than_X-4 that_.-19 that's+9 the+1 them-2
    then-12 there+3 these+13 they'r+1 thin-9 thing+4 things-7 thinki-7 third-5 those+11 three-4 threw-6 throne-1
    thus+15 till-17 time-3 title-3 to+1 to_R-1 to_be+6 to_the-2 too-5 top+16 topic-1 town+9 trails-14 transl-5 trap-10
    triump+2 true+11 trumps+8 truth+2 two-12 undeni+7 unders-1 unknow-16 unless+3 unlike-8 unprov-10 unsuit-1
    untena-12 until-19 up-2 uphold-6 use-5 used-6 used_to-6 usual-3 value+5 verifi+7 versio-3 vindic+19 violat-10
    void-20 votes+2 wait-5 walks+6 wantin-4 warm-10 was-8 was_.+5 was_a-16 was_carrie+2 was_chosen+15 was_crowne+10
    was_its+24 was_my-3 was_never-7 was_right+1 was_the+8 was_the_one+2 was_what+5 way-3 ways-5 we're+3 weak-11
    went-11 were-5 whatev+2 when-3 whethe+1 which+3 while-2 who+6 whole+2 whom+7 widesp+33 win+13 winner+1 wins+3
    with-1 with_it-6 withdr-25 within-1 withou-2 witnes-2 wonder-3 word+6 work-11 world+9 worse-29 worst-16 would-5
    would_have_been-10 wrong-19 wrote+4 yes+17 yet-9 yield-2 you'd-4 your+1 yours+1 zero-12 |_no-3 |_no_|-11 ~~-27 ✅+1
    ✗-3 ❌-13 👎-4 💯+20""",
    "rr:": r"""\n+3 "+4 #+9 (+11 )+8 ,+9 -+1 ->-4 .+9 /-7 :+4 ;+2 ?-11 O+3 Q+3 R+2 W-2 X+5 about-6 above+11 absurd-13
    accura+14 after+4 again+3 almost-8 alone+25 altern-4 am-8 among-1 an-4 and+9 answer-2 anythi-6 appear-3 as-1
    aside-11 asked-4 at+1 authen+13 author+10 back-1 barely-9 barred-4 base+5 bogus-13 both+16 built+5 by-2 caught-4
    chaff-19 checke+3 claim+1 close-15 collap-16 conclu+3 confir+10 consid-7 contra-8 counte-5 crosse-2 crowne+13
    curren+3 declar+4 defeat+2 despit+7 did+15 dismis+22 disput-10 do+4 does+2 droppe-5 drops-2 entert+11 evapor-5
    every+12 everyt+2 exists-1 explai+5 fallen-11 false-12 famous-2 favor+2 fell-16 first+2 fit-2 flunks-1 folks+9
    for-6 found-1 get+4 gets-4 given+1 gives-1 gold+7 half-9 halfwa-1 has+3 he-5 held-13 here-4 histor-3 hits+15
    holds+24 howeve-6 if-3 ignore-7 in-1 includ-23 incorr-27 instea+23 into-7 is-1 it+12 itself+7 just-3 knew-1
    lacks-8 leavin+6 likeli+13 loses-37 lost-11 made-2 many-4 mark-2 meet-4 merely-16 might-12 misrea-10 misses-12
    missin-13 mistak-5 moved+3 much-3 n-1 named+7 need-4 never-8 none-2 nonsen-17 nope-4 not-9 nothin-7 now+2 obscur+7
    of+8 off-6 office+26 old+1 one-8 only-4 opened+2 or-3 origin+1 others+15 our+10 ousted+9 out-5 outran+1 outwei+7
    over+7 overlo-10 oversh-9 pales-22 part-24 partia-2 partly-12 pass+1 passes+2 past+8 pendin-5 perish-28 plays+4
    plus-4 possib+1 prevai+2 propos-3 prove-4 proven+20 provid-5 put-3 quashe-9 read-10 regula+4 replac+4 right+3
    runner-6 satisf+7 says+2 scratc-3 season+1 second-4 select+24 should+4 show-7 sings+22 six-5 slight+10 slippe-6
    slots+2 so+2 soluti+2 some-6 spoke+17 spot+6 spurio-20 stays-10 still+6 suffer-9 surviv+17 takes+3 ten-7 than+9
    that+7 that's-13 the+4 theory-1 there+7 this+8 though-6 throug+5 thrown-24 to-1 too-6 trails-1 true+7 trumps+3
    two-7 under-9 unless+3 valid+1 vanish-2 walks+3 was+1 we-4 well-2 went+1 what+2 where+11 who+10 whoeve+16 wide-13
    wins+9 with-3 wither-12 won+20 works+3 worse-5 would-5 write-1 wrong+11 wrongl-15 years+3 yes+10 yester-13
    you're+4 your+4 ~~-9 ✅+2 ✓+10 ✗-21 ❌-6 👎-20""",
    "s:": r"""\n-3 \n_#+4 \n_(+7 \n_+-7 \n_-_X-15 \n_X+1 \n_not+10 "+12 "_,-11 "_,_"-5 "_.-2 "_:_"+1 "_:_R-3 "_O+7
    "_R_"+10 "_R_,-1 "_X+1 "_is+5 "_it_is-8 "_reject+2 "_was+6 #+4 #_#+2 #_%-1 #_%_,-5 #_)+4 #_,-5 #_-+6 #_.+4 #_/+5
    #_/_#+4 #_R-7 #_R_\n+10 #_X+5 #_X_#-13 #_X_.+9 #_X_:-4 #_centur_.+1 #_to+4 $_#+12 %-2 %_,-7 '_X-2 (_)-2 (_)_R-7
    (_R_)+20 (_or-8 )-1 )_.+5 *_*_R+1 ++15 ,-1 ,_"-4 ,_"_R-1 ,_#-9 ,_R+6 ,_R_(-1 ,_R_,-15 ,_R_.+3 ,_R_W-5 ,_R_X-13
    ,_R_and-10 ,_R_being-12 ,_R_came-5 ,_R_having-12 ,_R_includ-4 ,_R_looks-8 ,_R_or-10 ,_R_stays-1 ,_R_was+2
    ,_R_would-4 ,_W-6 ,_W_W-3 ,_W_in-5 ,_W_out+4 ,_X-2 ,_X_#-12 ,_X_.-1 ,_X_:-6 ,_X_R-2 ,_X_and-9 ,_X_having+3
    ,_X_in-5 ,_X_is-4 ,_X_of-5 ,_X_the-4 ,_X_was-1 ,_a_W-4 ,_a_X-3 ,_about-7 ,_all-4 ,_also+29 ,_altern_of-15 ,_an+1
    ,_and_R-3 ,_and_i+3 ,_and_is+2 ,_and_it+4 ,_and_it's+6 ,_and_that-1 ,_and_today-2 ,_as_it+8 ,_at-1 ,_becaus+3
    ,_but_X+1 ,_but_it+4 ,_but_it's+4 ,_but_the-10 ,_correc+5 ,_either+13 ,_every+8 ,_four+2 ,_had-5 ,_having-7
    ,_he+11 ,_i+5 ,_i_could+2 ,_i_not-3 ,_i_was-2 ,_i_would-6 ,_i'm+4 ,_is+2 ,_it+3 ,_it_is+2 ,_it_might-8 ,_it's+13
    ,_it's_not-14 ,_leavin_R+1 ,_my_answer+2 ,_nine+4 ,_no+5 ,_no_W+2 ,_not_X+9 ,_not_in-6 ,_often-1 ,_on-3 ,_one-1
    ,_only+1 ,_or-14 ,_perhap+4 ,_please-1 ,_should-10 ,_so+3 ,_so_that+3 ,_so_there'+2 ,_somebo+32 ,_sorry+1
    ,_tails-3 ,_take_it+7 ,_ten-11 ,_that-7 ,_that's-3 ,_the+2 ,_the_W-5 ,_the_X-5 ,_the_answer+8 ,_the_less-8
    ,_then_R-21 ,_there'_no+2 ,_three-7 ,_to_the-4 ,_well+4 ,_whatev+2 ,_when+5 ,_where+1 ,_which_was+1 ,_while+2
    ,_who-2 ,_with_X+3 ,_would+9 ,_you+2 -_R_\n-10 -_W-1 -_a_-+2 -_called-1 .-2 ._\n-2 ._\n_W-1 ._'-5 ._)-2 ._R-21
    ._R_,+1 ._X+5 ._X_?+4 ._X_is+1 ._a-3 ._altern+6 ._as-14 ._but-19 ._correc-1 ._correc_:-7 ._could-6 ._everyo+8
    ._final_:-4 ._for+1 ._full+1 ._he+2 ._he_was+24 ._hmm-20 ._i_not+1 ._i_say-2 ._i_take-8 ._in-1 ._it-1 ._it_has+1
    ._it_would-1 ._let-1 ._next-7 ._no_,-26 ._nobody+6 ._on-1 ._or-41 ._please-4 ._so-2 ._sorry-12 ._sorry_,-4
    ._still-6 ._that_was-3 ._that's-5 ._the-2 ._the_Q-3 ._the_W-3 ._this-3 ._to-15 ._verdic-10 ._which-2 ._with-4 /-14
    /_X+9 /_answer_>-1 :+3 :_"-1 :_"_R+4 :_#_%-3 :_O+1 :_R+8 :_R_\n+7 :_R_(-5 :_R_,+3 :_R_.+9 :_R_;+2 :_R_?+2 :_R_X-3
    :_R_belong+6 :_W-4 :_X-8 :_X_,-5 :_X_.-18 :_X_is+9 :_a-4 :_as+1 :_correc+12 :_is_it+3 :_it+1 :_it_is+27 :_it's+22
    :_it's_X-9 :_it's_the+4 :_my+15 :_my_answer+4 :_no-4 :_none-5 :_not-15 :_nothin-8 :_that's+24 :_the-2 :_the_R-3
    :_the_W-2 :_the_answer+4 :_the_first+2 :_this+2 :_true+11 :_we+5 ;_O-4 ;_R+6 ;_X+4 ;_X_;-8 ;_X_was+3 ;_i_W+2
    ;_i_go+3 ;_i_name+12 ;_i'd+3 ;_i'm+10 ;_if-11 ;_it_is+16 ;_it_stands+10 ;_it_was+1 ;_it's+20 ;_it's_the+1 ;_no+2
    ;_that's+7 ;_that's_my+1 ;_the-7 ;_this+3 ;_what-5 <-3 <_/+5 =_"-4 =_=_"+2 >-1 >_>-6 >_R+7 >_W+1 ?-8 ?_?-8 ?_X_?-1
    ?_i_not-16 ?_it+14 ?_no-9 ?_not-14 ?_the-5 ?_wrong-23 ?_yes+5 O_"+5 O_#+18 O_,+35 O_.+25 O_O+25 O_R_,-4 O_R_W+16
    O_R_X+7 O_R_is+8 O_R_of+1 O_W_W+1 O_X+9 O_X_.+9 O_X_O+8 O_X_R+4 O_accoun+6 O_and+5 O_answer_.+6 O_answer_:-1
    O_first+5 O_old+5 O_one+7 O_record-4 O_the+4 O_the_X+5 O_to+10 R+2 R_\n+2 R_\n_--4 R_\n_W+2 R_\n_X+2 R_"-15
    R_"_,-3 R_#+1 R_(+1 R_,+7 R_,_"-6 R_,_#-1 R_,_X-3 R_,_a+7 R_,_and-5 R_,_it-5 R_,_not+12 R_,_nothin+2 R_,_one+7
    R_,_our+7 R_,_said-3 R_,_says+5 R_,_the-5 R_,_then-8 R_,_we-1 R_,_which+10 R_,_yes-6 R_.+5 R_._"-9 R_._R-15
    R_._X+2 R_._actual-6 R_._for+2 R_._how+20 R_._i'm+3 R_._in-6 R_._is-7 R_._it-4 R_._just-15 R_._never-40 R_._no-2
    R_._none+3 R_._on-15 R_._or-12 R_._she-5 R_._that-17 R_._the-1 R_._this-3 R_._what-1 R_._with-3 R_/-8 R_:_X-2
    R_:_i+9 R_;+8 R_;_W-3 R_;_X+10 R_;_altern+4 R_;_as-15 R_;_i'm-1 R_;_in-7 R_;_it-6 R_;_it's-7 R_;_my+2 R_;_not+9
    R_;_only+9 R_;_six+5 R_;_so+3 R_;_the-1 R_;_to+1 R_;_univer+5 R_;_you+7 R_<+8 R_?_\n+14 R_?_"+4 R_?_becaus+2
    R_?_i+1 R_?_not-18 R_W+2 R_X+4 R_X_)+3 R_X_,+1 R_X_.+3 R_X_/+2 R_X_R-3 R_after+5 R_again+28 R_agains-5 R_an-2
    R_and-9 R_and_a-1 R_and_altern-1 R_and_nothin+15 R_answer+2 R_any+23 R_as_X+9 R_as_well-28 R_at+3 R_can_be-3
    R_comes+2 R_correc-3 R_does+9 R_failed-3 R_first-24 R_for+5 R_has+1 R_has_the+3 R_in+3 R_in_W+6 R_in_X+17
    R_incorr+8 R_is_W+9 R_is_X+7 R_is_it+5 R_is_just-5 R_is_no+10 R_itself+9 R_last-4 R_leads+8 R_leads_to+2 R_made+3
    R_more+11 R_must_be+15 R_never-5 R_no-6 R_not-8 R_not_be+13 R_of+3 R_of_the+1 R_on+4 R_on_X+5 R_once-14 R_only+27
    R_or-2 R_out-1 R_over+6 R_passed+1 R_plays+3 R_should+1 R_than_X-2 R_the+5 R_too+29 R_will+9 R_wins+13 R_withou+1
    R_would-5 R_wrong-3 R_years+38 R_|_X-15 W-2 W_\n-6 W_"+3 W_(-6 W_)+7 W_,-3 W_,_W-2 W_,_and-1 W_,_but+3 W_,_it's+1
    W_,_the-1 W_,_which-3 W_-+6 W_.-1 W_._X-4 W_._i+9 W_/+20 W_/_W+30 W_:_#-10 W_:_W+2 W_;-3 W_O+2 W_R_,-4 W_R_.-1
    W_R_W+10 W_R_in+12 W_W+1 W_W_,-4 W_W_.-1 W_W_O+14 W_W_R-14 W_W_W+2 W_W_in+3 W_X+4 W_X_.+10 W_X_and-2 W_and-2
    W_and_X-1 W_answer-1 W_around-1 W_as-1 W_at+1 W_at_the+6 W_began+14 W_change+3 W_claim+3 W_from-2 W_here-5 W_i-1
    W_in+4 W_in_R+4 W_in_the+2 W_is+3 W_it-3 W_it_.-4 W_not+1 W_of+3 W_of_the+8 W_on_W+7 W_or+3 W_over-7 W_popula+2
    W_says_R-1 W_that_R+7 W_the-5 W_the_W-5 W_there-9 W_to_the+8 W_up+3 W_votes+3 W_was+5 W_would_have+3 W_wrote-10
    W_~~+7 X-6 X_"+7 X_"_)-3 X_"_is+8 X_"_was+7 X_#+3 X_#_.+13 X_#_:+2 X_'-1 X_(+5 X_(_R+2 X_(_x-8 X_)+4 X_,-7
    X_,_"+13 X_,_R-6 X_,_a-2 X_,_an+5 X_,_and+4 X_,_i-3 X_,_i'd+15 X_,_includ+6 X_,_is+5 X_,_it+2 X_,_no-11 X_,_not-12
    X_,_the+3 X_,_to-2 X_,_which-1 X_,_whose-1 X_,_with-5 X_,_wrongl+1 X_--2 X_.+4 X_._"+5 X_._O+6 X_._he+4 X_._i+5
    X_._that's-6 X_._what-1 X_/_R-2 X_:+2 X_:_R-1 X_:_X+9 X_:_the+13 X_;-3 X_;_W+12 X_;_the+3 X_O+2 X_O_X-6 X_R+5
    X_R_\n-1 X_R_,-10 X_R_.-1 X_R_:+20 X_R_;-3 X_W_.+2 X_W_R-16 X_a+2 X_and+3 X_and_X+7 X_and_the+8 X_answer+14
    X_any-2 X_are+13 X_as-1 X_ball+1 X_be+2 X_did-1 X_family+2 X_first+12 X_first_W+15 X_for_the-3 X_from+3 X_from_O+1
    X_has+2 X_has_a+3 X_having+10 X_i+2 X_in_#+1 X_in_O+19 X_in_X+10 X_in_the+8 X_includ+1 X_into+1 X_is+6 X_is_W+3
    X_is_a+3 X_is_in-3 X_is_more+8 X_is_right-20 X_it-2 X_kept-5 X_last+4 X_live+22 X_makes+6 X_of+6 X_of_X-14 X_off+1
    X_on+4 X_on_#+1 X_on_R+10 X_on_X+2 X_or-12 X_origin+9 X_rather-5 X_right+3 X_say_X-2 X_that_X+1 X_the_X-6
    X_there-8 X_throug+10 X_to_R+6 X_to_the+6 X_too-21 X_took+1 X_train+8 X_use+7 X_was+3 X_was_R+14 X_was_a+4
    X_will-2 X_with_R-2 X_word+8 X_would-3 X_writte-7 a-3 a_-+2 a_:+9 a_:_R-1 a_O+1 a_R+3 a_R_.+3 a_W-3 a_W_,+3
    a_W_in-9 a_W_with+1 a_X+4 a_X_,+5 a_X_.+4 a_bad-11 a_better+8 a_coin-7 a_contra+2 a_differ-23 a_false+4 a_full+3
    a_hit+4 a_long-2 a_miscon-1 a_mistak_.+8 a_questi-7 a_second+5 a_studen-17 a_time-2 a_total+10 a_total_of+10
    a_true+2 a_voice+4 abando-5 about+1 about_,-1 about_R_,-12 about_R_.-3 about_R_;-5 about_R_W+10 about_R_and-5
    about_X+2 about_X_,+2 about_it-4 about_the-8 absent-13 accept+1 accept_R_.-1 accept_R_and+9 accept_it+9 accide-3
    accord_to-2 accoun+2 accura+8 acquit-2 across-3 adopt+7 advoca-6 affirm+4 affirm_R+12 afraid-2 after+2 after_R-7
    after_X+1 after_X_,+1 after_some_though+23 again-3 again_.-3 agains+2 agains_R-8 agains_R_.-26 agains_X+2
    agains_X_.+4 agree+6 agree_.+1 air-4 air_X_,-8 all+1 all_,-2 all_.-3 all_W+8 all_X+8 all_along+12 all_i-11
    all_i_can-11 all_the+3 all_the_way+1 almost_R+17 alone+4 also_:-10 also_R+23 also_R_.+2 altern_,-11 always+2 am-1
    am_sure+23 ample+4 an-1 an_R+7 an_W_.+8 an_X+3 an_impost-3 an_urban-9 and+4 and_#-12 and_#_X-8 and_O+2 and_R_,-6
    and_R_.-10 and_W-5 and_W_W-7 and_X-1 and_X_,+9 and_X_.+8 and_X_W-5 and_X_answer+9 and_X_not-2 and_X_of-9
    and_X_the-5 and_X_was+1 and_altern-1 and_answer+6 and_back-1 and_conclu+2 and_everyt+7 and_for-2 and_found+3
    and_i_follow+5 and_i_mean+3 and_i_not-8 and_is+14 and_it_is+9 and_it_not-7 and_it_was+12 and_my+2 and_not-6
    and_only-7 and_others+5 and_pigs-4 and_rightl_so-19 and_so-4 and_that's+1 and_the-2 and_the_W-4 and_they_were-7
    and_today-3 and_was-1 and_we+7 announ-2 anothe-9 answer_"_:+5 answer_,-2 answer_,_X-12 answer_,_not+25
    answer_._the+4 answer_:_R-10 answer_=+6 answer_?-9 answer_R_;-3 answer_anythi+23 answer_includ-21 answer_is-11
    answer_is_W-3 answer_not-8 answer_the+7 answer_you-2 any+1 any_of-32 anyone_who+1 anythi-2 anythi_beside+4
    anythi_beside_R+25 anythi_other_than+6 apolog_for-5 appear-2 approv+2 are_R+7 are_a+1 are_all-6 are_not+4
    are_sealed-2 are_the+12 argued-4 around+4 around_R+1 around_R_,-5 around_R_.+8 arrive_at+6 artist+2 as+2 as_O+2
    as_R-2 as_R_;-2 as_X+5 as_a-4 as_good-17 as_i+4 as_if-14 as_it_is+6 as_my+1 as_of+4 as_the+4 as_the_W+5
    as_the_answer+3 as_well-5 ask-4 ask_me_,+22 asked-1 asked_about-1 asked_for_.+2 asked_the-8 asking_about-4
    assert_R+2 associ+3 astoni+10 at_R-3 at_R_,-1 at_R_.-2 at_R_;+11 at_W+3 at_X_,+5 at_X_.-1 at_a+1 at_best-13
    at_least+26 at_once+8 at_once_.+1 attack+10 attemp_to+3 attest-3 attrac-4 attrib+1 authen+6 author-2 availa+5
    awaits-14 award+1 awarde+4 away-1 aye+7 b-3 backgr-13 backwa-5 bait-2 bang+2 barely-2 barkin_up+1 base+10 be_,+3
    be_W+4 be_X_,-6 be_a+2 be_anythi+12 be_anythi_but+1 be_correc-7 be_told-3 be_wrong+17 be_wrong_,-9 beat+2 beat_R-2
    beats_R-21 became+7 becaus_of-2 been-1 been_R_.-1 been_proved+5 before-4 before_W+7 before_X_.+4 before_anyone-4
    before_i-16 begins-1 being+3 being_R-1 being_the+8 belief-5 believ-6 believ_R+3 believ_in_R-10 believ_it_was+6
    bell+4 belong_to-7 below-1 bench-1 beside-2 best+1 betwee_X_and-3 beyond_me-3 beyond_questi+13 big+4 bingo+9
    blame+1 blank_.-4 books_are+15 border_with+26 borne+4 borne_out+15 both-2 both_X_and-6 box-1 brain+6 broad+1
    broke-1 built+4 but+6 but_R+3 but_R_.-10 but_R_?+41 but_R_is+4 but_W-10 but_i_not-5 but_it_is+11 but_it_was+3
    but_it's+1 but_no-1 but_that's-6 buzzer-7 by+1 by_R_,-5 by_R_.-3 by_R_;+5 by_R_and-9 by_R_in+1 by_X+12 by_X_;-10
    by_a+4 call+1 call_R+1 called+5 called_R-2 called_R_.-4 came+2 came_R-5 can+7 can_get+14 cancel-5 cannot-19
    capita+11 captai+5 carrie_.+13 carry+10 case-1 case_for_R+2 cat-2 catego-10 cell+17 certai+5 certai_.+7 chain+1
    champi+2 change_my+11 charac+5 check-2 checki-4 choice+8 chosen+5 circle+6 citati_needed-10 citati_needed_)-5
    cite-1 city+11 city_of+10 claim-2 claim_the-7 claime-2 clashe-13 classi+2 clear+3 clearl+4 close-1 clues-1 cold-3
    colour-2 column+1 come-2 comes-5 commen-5 compar-3 comple+4 concei-8 concer-4 conclu+1 conclu_that+6 concur+2
    condem-10 confid+2 confir+10 confir_R+7 confir_X-13 confir_it+6 confir_nor-3 confus-5 consid_:-14 consid_the+13
    consis+5 consol-4 conspi-3 conten_,+1 contes_R-4 contra_R-8 contra_the-4 contra_to_the+1 convin+7 convin_me+2
    copies+6 correc_.+1 costs+9 could+1 could_be-10 could_not-3 could_only+21 countr+18 course+8 court+1 cousin-4
    cover-2 credit_,-1 credit_R-2 critic-5 crosse-3 crosse_out_R-4 curren+5 cut-1 day-4 daylig+11 dead-1 dead_end-4
    dear-5 debunk-11 decade-4 decide_on+3 declar+6 declin-11 decoy-12 defeat_.-6 defini+1 defini_R+8 delete-4 denied-3
    denies+13 deny_it-21 deprec-2 descri_.+4 deserv_a+1 desk-4 did-2 direct+13 discla-8 discov+3 discre-8 disown-13
    dispro-13 disput_R_;+27 disqua-8 disreg-6 dissen-5 divide+10 do_.+1 do_i+3 do_it-2 do_not-10 do_with_it-4 does_,-5
    done+1 doubt+13 doubt_.+10 doubtf-11 doubti+25 doubts+3 down_X+2 dozen+7 drop_R_.-1 dubiou-2 dud-5 during+26
    each-3 easy+11 eclips_R-4 eclips_X+7 either_way+1 elimin_R-3 else+7 else_W-7 else_than+16 else's-9 empty-4
    empty_.-2 end+3 ended-4 endors_R+1 ends_up+10 ends_up_with+7 enough+5 entere_X+4 entry+1 episod+25 equal-13
    equall-17 erased-9 errone-15 error-1 error_:-2 establ+2 even+2 even_if+12 evenin-4 everyo_W-1 everyt_.+2
    everyt_else-5 everyt_to_do+15 eviden+3 eviden_for-1 eviden_for_R-3 exact+4 exactl+23 examin-3 except_R+4
    except_R_.-2 exclud_X+5 existe-16 expect_R-2 explan_:-4 eye-2 fabric-4 fail_to+8 failed_.-8 fails-8 fairly+3
    fall-1 false-7 false_:+1 false_that-4 falsel-15 family+1 famous-3 fans-6 far-5 far_from-7 fatal-8 father+1
    father_of+3 faulty-2 favour-4 favour_of-2 featur+1 fight+9 film+1 film_X+3 final_answer_:-2 find_R+1 findin+3
    firm+2 firmly+6 first+4 first_.-12 first_:+9 first_W+10 first_guess-11 fit_,-2 fits+4 fixed+3 flip-11 flunks-22
    fool's-21 foot-9 for_"_R-2 for_R+1 for_R_,-8 for_R_;-2 for_R_and+2 for_R_is+5 for_X+1 for_X_.-2 for_X_and-1
    for_a+1 for_all-1 for_it+3 for_once+28 for_other-11 force+2 forged-3 forget+8 forget_R-15 form+5 format-12
    forwar-1 found_no-7 founda-5 founde+8 from_#+14 from_R_,-1 from_R_.+2 from_R_to-13 from_X+10 from_X_.+4 from_my-4
    from_the-2 from_the_X+11 full+12 full_of-12 fully+10 fun-8 g+1 gain+7 gave-1 genera_,-10 genera_.-3 get-4 get_W-8
    get_it+11 gets_my+1 give+2 give_up-1 given_credit+18 given_credit_for+7 glad+1 gladly+1 goes_to+2 going_with+1
    gold+3 good+4 got-2 govern+2 green+5 grew-2 guess+2 guess_:+1 guesse_:-23 gun+4 ha-8 had_R+3 had_to+2 half-5
    half_right-9 halluc-2 handed-10 happen+2 happy+15 happy_to+1 hard_to-16 has+3 has_been-1 has_it_that-4 has_no-2
    has_not+9 has_nothin-1 has_the+2 has_to+7 has_to_be+4 have+2 have_R+3 have_W-3 have_X-12 have_been+9 have_it+1
    have_said-1 having+1 having_used+23 he-4 he_had+9 head_.-7 heart+2 held+1 held_up+15 hello-2 help-1 hence-1
    hence_the-1 her-1 here-2 here_:+8 hesita+1 high+1 hint-7 his-3 histor-3 holdin+2 home+2 honest+5 hopele-4
    hopes_for+3 host+2 hunch_about+8 hundre_percen+6 hung-3 hypoth-1 i-2 i_.+7 i_W-1 i_W_R-1 i_W_for+3 i_X_R-2
    i_abstai-28 i_accept+5 i_adopt_it+9 i_am_sure+7 i_answer+3 i_answer_X-3 i_believ+19 i_can_say+8 i_choose+6
    i_confus-6 i_declin-7 i_deny-31 i_did+5 i_did_not+5 i_disagr-10 i_disput-22 i_do_.+5 i_doubt-45 i_doubt_that-28
    i_get-5 i_give_it+15 i_go_with+17 i_know-3 i_leave-11 i_let-1 i_may_be-1 i_mean_X-8 i_name+2 i_no_longer-4 i_not-4
    i_not_:+3 i_not_have-9 i_not_hesita+6 i_not_take+27 i_not_think-12 i_on+1 i_only-18 i_part-3 i_pass-7 i_put+7
    i_read+1 i_refuse-9 i_refuse_to-6 i_reply+3 i_see+4 i_share+14 i_should_have+9 i_submit+6 i_think+30 i_was-4
    i_will+1 i_withho-12 i_would_be-3 i'd-5 i'd_W-17 i'd_accept-1 i'd_bet+3 i'd_guess_R+12 i'd_have-7 i'd_like-2 i'm-2
    i'm_a+7 if-5 if_R_is-4 if_R_not+51 if_X-9 if_X_not-4 if_it-7 if_it's+8 if_it's_R-4 if_only-2 if_the-2 if_you+1
    if_you_ask+1 ignore-2 imitat-4 implau_.-9 import+10 imposs-6 improb-3 in+1 in_"+8 in_#+26 in_#_.+9 in_,+5 in_.+6
    in_O+1 in_O_X+11 in_R_,-4 in_R_.+2 in_R_;-2 in_W+4 in_W_.-4 in_W_W+22 in_X+15 in_X_#+9 in_X_,-2 in_X_.+7
    in_X_is+12 in_a_X+2 in_an+2 in_an_W+1 in_anothe-14 in_any+15 in_case-4 in_his-6 in_it-2 in_my-1 in_no+23
    in_place-3 in_pool+3 in_some-7 in_the-2 in_the_R+2 in_the_X+16 in_the_early+5 in_the_end+1 in_the_runnin-6
    in_this-1 in_with-1 inaccu-7 inadmi-11 includ_R_,+4 includ_R_.-14 incons-5 indeed+5 indepe+18 index-3 indisp+4
    instea-6 insuff-11 intend+3 into+1 introd_in+4 invali-6 invent_the+4 irrele-7 is_"_R+14 is_O+2 is_R+3 is_R_,-3
    is_R_.+2 is_R_;+9 is_R_and-17 is_W-1 is_W_.-7 is_W_W-5 is_W_by+3 is_W_on+16 is_X_.-8 is_X_of-3 is_a_R+14 is_a_X+8
    is_altern-2 is_altern_of-3 is_as-3 is_called+18 is_called_R-13 is_consid+21 is_far_from-7 is_hardly-2 is_in-3
    is_it_R-16 is_merely-1 is_mine+6 is_no+2 is_no_doubt+23 is_no_longer-20 is_not+2 is_not_.-6 is_not_R+7 is_not_X+3
    is_on+8 is_on_the+3 is_one-1 is_quite+2 is_refute-7 is_still-2 is_that_R-2 is_the+1 is_the_W-12 is_the_X-1
    is_the_answer+5 is_the_one+2 is_true+5 is_what's+11 is_wide-7 is_wrong-12 is_wrong_.+20 is_wrong_:+6 is_your-5
    issue-1 it_,-1 it_.+1 it_._the-2 it_:+2 it_;+4 it_;_X+1 it_R-8 it_R_,-6 it_R_?+21 it_W-4 it_and-3 it_as_R-3
    it_be_R-3 it_could_be+1 it_follow_that+34 it_has-2 it_has_been-2 it_in+4 it_in_X-5 it_into-6 it_is-1 it_is_.+7
    it_is_X-13 it_is_called+18 it_is_false-24 it_is_not-10 it_is_the+11 it_must_be+2 it_not+2 it_not_.-9 it_not_R+12
    it_right+5 it_right_.+1 it_stands-1 it_that-10 it_to-2 it_was-2 it_was_W-9 it_with-2 it_would-3 it's-1 it's_R+7
    it's_R_.-2 it's_R_?+17 it's_W-5 it's_X-16 it's_a-6 it's_been-1 it's_my+5 it's_no+25 it's_not_R+17 it's_not_that-3
    it's_right+23 it's_the_answer+12 it's_what+20 its_R+5 its_W-1 its_name-4 itself+4 joking-2 just+2 just_R+29
    just_X-8 just_a-1 just_what+17 keep_it+9 keeps-1 kept-1 kept_R+1 key_:+10 king+13 knew-2 know-1 know_:+1 know_it+2
    knowle+11 known_as+20 lack-2 larges+20 last_thing-15 last_week's-15 laugha-10 least_of-17 leave_it-1 leave_the+3
    left-2 left_X+3 left_with-1 leg-5 lent-3 let's-4 letter-2 letter_.-5 lied-12 life+1 light-1 like_R-13 like_R_,-5
    like_X+3 likely+1 likewi-6 line+2 lips-2 list-4 listed-5 lists_R+1 little-5 live+3 lived+5 lock+4 look+1 looks+6
    loses+2 lost-9 low-8 luck-9 made-3 main+9 majori+5 make+2 make_it+1 make_me-1 makes_it+1 makes_no-9 many-2
    many_things+7 mark+2 mark_me+1 markin-1 match_.+2 materi+5 may-6 may_be-2 may_have-1 maybe_.-1 maybe_R+5
    maybe_R_,-34 maybe_R_.+5 me-1 me_,+3 me_:+1 me_as-4 me_down+1 me_down_for+1 me_to-3 mean-1 mean_R_.+6 meant-3
    meant_.+5 measur+3 member+6 memory-2 mentio_R-4 mentio_R_.-3 merely-7 merit+7 method+3 middle+4 might-3
    might_be_R-8 might_have-5 might_think-31 miles-4 mind+5 mind_and+1 mine+1 minist-1 minute+4 mirror-5 miscon-12
    mislab-5 mislea-1 misled-22 miss-5 missed-13 mistak-1 mistak_to-4 mix-4 mix_--1 mixed-7 model_of+22 modera+1
    modern+6 money+3 more-1 more_.-8 more_W+10 more_to+6 most+6 most_X+2 most_likely+2 must-1 my-2 my_R-2 my_W_W-5
    my_W_to-2 my_answer+5 my_answer_.+9 my_dead-6 my_favour-11 my_first-5 my_hat+1 my_last+2 my_list-2 my_pick+1
    my_reply+12 my_respon+3 my_second-16 myself-2 myth-2 myth_,+3 myth_that-17 name_.+4 name_R_,+4 named+1 native+1
    natura+15 nearly+5 need+8 need_to+4 needs+12 negati-13 neighb-5 neithe-11 neithe_confir-1 neithe_confir_nor-3
    never-3 never_R-15 never_W+8 never_X+5 never_say-18 new_X_,-3 next-1 nice-8 nickna-6 night-2 nine_.-5 no-3 no_.-10
    no_R-21 no_W+9 no_X+9 no_answer-14 no_circum-12 no_claim-1 no_clue-3 no_credit-1 no_idea-2 no_mistak+14
    no_more_than-9 no_object+10 no_record-15 no_time+24 no_way-33 nobody-8 nobody_says-34 nomina-2 none-2
    none_of_them+4 nonsen-10 nope-17 nor_deny-2 north-3 not-2 not_:+1 not_O-12 not_R-9 not_R_,+5 not_R_.-5 not_R_;+7
    not_R_?+23 not_W+12 not_X+3 not_X_.+3 not_X_of+6 not_a+15 not_accept-21 not_altern+15 not_altern_of+3 not_answer-1
    not_apply-4 not_be+2 not_be_it-4 not_be_right-6 not_bet-12 not_but+6 not_change+15 not_commit-6 not_convin+1
    not_deny+11 not_do-3 not_doubt+47 not_even-10 not_fail+13 not_fit-1 not_forget+6 not_go-16 not_going-12
    not_have_to+14 not_hear+13 not_help-5 not_hesita+9 not_in-8 not_it_.-12 not_it_R+2 not_just+16 not_know-4
    not_leave+1 not_lie+39 not_merely+54 not_mistak+5 not_mistak_.+5 not_my-11 not_my_answer-3 not_only+40
    not_preten+24 not_put-5 not_regret+44 not_say_R+10 not_sure-10 not_swear-1 not_the-8 not_the_answer-16 not_to+16
    not_to_be-12 not_too+7 not_true-51 not_trust-4 not_what-7 not_write+6 not_wrong+26 notes-1 nothin-2 nothin_.-5
    nothin_but+8 nothin_else+4 nothin_in-4 nothin_less+22 nothin_on_R-2 nothin_to-2 nothin_to_do-9 now+2 now_R+8
    now_W-3 now_i+1 nowher_.-2 null-19 obsole-9 obviou+1 obviou_.+1 odds+2 of+1 of_#+6 of_O+8 of_R_,-11 of_R_.-7
    of_R_:+3 of_R_;-9 of_R_X+3 of_R_as+10 of_R_in+4 of_R_was+2 of_W+3 of_W_W+11 of_X+13 of_X_,-3 of_X_.+1 of_X_:+13
    of_X_W-1 of_X_and-7 of_X_on+4 of_a+3 of_a_W+11 of_a_X+1 of_altern+12 of_altern_of+1 of_an+1 of_mine-1 of_my-2
    of_my_answer-14 of_the_W+3 of_the_X+7 of_the_first+13 of_the_questi-2 of_this_.+13 of_you-12 off-5 off_R-8 off_X+9
    off_the-1 offer-3 offer_R+8 office+1 offici+3 offsid-13 often_referr+7 oh-8 old_R-18 old_X-2 old_answer-30 on+2
    on_.+3 on_R-1 on_R_.+3 on_R_:-1 on_W+1 on_W_.-2 on_X+1 on_X_#+17 on_X_,+1 on_it+1 on_one-1 on_the-2 on_the_W+1
    once_a+1 one-3 one_.+5 one_:+1 one_;-4 one_O-1 one_W-2 one_could-2 one_for+11 one_for_X+6 one_hand-9 one_of-7
    one_thing-6 ones_.-9 only-4 only_R+39 onto+5 open-4 option-3 or_R-28 or_R_.+19 or_R_?+22 or_W_W-6 or_X+8 or_X_,+1
    or_altern-9 or_any_other+4 or_not+19 or_so+40 or_whatev-2 origin+7 other+3 our-2 our_W-9 our_answer+2 out_.-1
    out_;-8 out_R_,+1 out_R_.-7 out_X+5 out_a+4 out_of-2 out_on_R-21 out_to+4 outdat-7 outrig+1 over+1 over_O+6
    over_R_,-6 over_R_.+6 over_W+1 over_X+10 over_for-5 over_from_R-6 overlo_R+6 overru-4 oversh-5 overtu-2
    overtu_R-16 overwh+6 owned_by+3 page-1 paid+1 parody-3 part-1 part_of_the+6 partia-1 partly-28 pass-1 passes+8
    pencil-3 pendin-9 people-1 people_wrongl_believ-4 per_W+18 perfec+8 perhap-9 perhap_R-39 persis-7 person-6
    pick_R+1 picked+6 pigs+2 pigs_fly-30 place+1 place_here-4 placeh-8 plain+9 plainl+4 played+34 played_X+1
    played_by+4 player+12 plays+10 plays_X+10 please-5 point_.+3 points_for-1 pool+7 poor-7 popula+4 portra+4
    portra_X+9 possib_,-9 possib_R-12 possib_be+2 post-1 precis+7 prefac-3 prefer_R+1 prefer_X-9 presen+1 presup-3
    preten-15 preten_that-26 previo-4 primar+9 print-6 prints_R_.+12 prior_to+10 probab_R+22 probab_R_.+7 promis-4
    proper+7 proved+11 publis+5 pullin-1 put_R-2 put_R_,-4 q_:+1 questi-5 questi_R_.-17 questi_about_R-8
    questi_descri+2 questi_is+2 quiet-7 quite+1 quiz-4 rather_R+21 rather_altern-8 rather_altern_of-4 ratifi+1 reach-1
    reache+3 read-2 read_R+3 read_X-9 reader-3 reaffi+7 real+5 really-9 reason+4 reason_.+8 recall-4 recant-3
    record_.-3 record_R+5 red-3 refere-1 referr+5 referr_to_as+13 refuse-1 refusi-6 refusi_R-2 refute-2 regard_your+1
    regula+1 reject-11 reject_R+10 reject_R_.+19 releas+14 releas_R-21 releas_X+2 releas_on+10 relega-8 remain-7
    rememb-2 remind_me-3 remove-3 replac_R-29 replac_X+29 replie-1 reply+2 reply_.+4 reply_;+3 reply_of+3 reply_of_R+5
    repudi-2 rescin-3 resemb-10 reserv-3 resist-14 resolv+5 respon+3 result+5 retrac-5 return_R-5 reveal+1 revers-12
    review-1 revise+2 revoke-7 right+5 right_,_R-5 right_.+3 right_:_R+7 right_?_\n-14 rightl+14 rightl_.+5 ring+1
    rival+2 rock_W+2 rock_X-5 room-4 roughl+21 round+5 route+2 route_#+3 ruled-3 ruled_out-9 rumour-1 s+6 s_/+14
    said_R-1 said_R_.-7 said_R_;-3 said_R_?+24 said_R_and+7 said_X+4 sake-20 same-3 sample-6 sang+11 sang_"+5 sank-11
    say_R+5 say_R_,-5 say_R_;-1 say_X-1 say_X_.-1 say_anythi+5 say_it+7 say_it's_R-4 say_that-17 say_the-11 saying_R+1
    says+1 says_R_,-7 says_R_and+5 says_X_,+10 says_X_.-1 school-1 scoreb+2 scratc_that+3 season+27 see-4 see_R+6
    see_also-6 see_that+3 see_why-4 seem-1 seems-2 seen-2 select+5 sender-8 series+13 seriou+4 serves+8 set-3 set_.-3
    set_of+2 settle+7 settle_on-7 severa-4 shares-7 she-2 she_W-15 she_not-1 shelve-3 shot-6 should-4 should_have+3
    should_the-6 shoute_R-2 show+5 shown+2 shows-1 shut-5 side_of_X-11 sign_off+9 silent-1 silver-4 simila-2 simple+5
    simply+10 since+2 single+1 sister+6 sit-8 six-4 six_X-4 skip-4 slim-6 small+1 smoke-6 so-3 so_--4 so_-_called-1
    so_R+5 so_R_.+13 so_W-1 so_X_.-6 so_i+3 so_it+2 so_long-11 so_no-5 so_that's+1 so_the-2 sold+7 soluti+8 some-3
    some_R+30 some_claim-27 some_other-2 some_people-16 some_though+36 somebo-24 someon-4 someth-10 someth_other-4
    someth_other_than-9 somewh-4 song+5 song_"+10 sorry_,-4 sound+11 sound_,-4 sounds+2 source+4 specif+24 specul-2
    spell+2 spelle_R-2 spot_on+23 spread-1 square_peg-2 stake_my+8 stands_.+8 star+5 starte+5 state+8 statem+4
    states+21 stayed-2 stays+1 stays_.+13 steer_clear-10 still_R+17 straig+3 strict+9 studen_:+1 study-1 stuff+5
    subjec-5 subjec_.+1 submit_R+5 substi-7 substi_R+5 succee+2 sugges_R_,-3 sugges_R_.-4 sugges_that+18 supers-2
    supers_R-8 supers_by-5 suppla-3 suppor_R_.-1 suppor_of+1 suppos_it_not+21 sure+4 sure_,-18 sure_about+1
    sure_it's-17 sure_it's_R-16 surviv-1 swears_by-4 swears_by_R-5 swore-4 take_R+1 take_R_.+2 take_it+4 take_your-8
    takes+5 talk-1 talked+5 target+1 target_.+7 tea-6 tell-2 tell_me-16 templa-6 tempti-6 testim+8 text-1 than_R+3
    than_R_,-4 than_R_?+26 than_R_is+19 that+2 that_:+1 that_R+2 that_R_was+7 that_W-8 that_X-7 that_is+3
    that_is_the+1 that_it_is+10 that_name+9 that_one+5 that_the-2 that_the_answer-7 that's_it+19 that's_the_W-9
    that's_the_answer+9 that's_what+5 the-1 the_#+25 the_#_X+6 the_O_W+3 the_R-1 the_R_,-5 the_R_.+1 the_R_;-1
    the_R_W+2 the_R_X+3 the_R_in+1 the_W+1 the_W_"+6 the_W_,+1 the_W_.-1 the_W_R+3 the_W_X+3 the_W_and+2 the_W_for-2
    the_X+8 the_X_,-6 the_X_.-2 the_X_:+1 the_X_;-1 the_X_O-4 the_X_R+2 the_X_W+7 the_X_and-1 the_X_ball+2 the_X_in+4
    the_X_of+9 the_X_on+3 the_X_show+19 the_X_train+2 the_accept+3 the_answer-2 the_answer_,+3 the_answer_.+6
    the_answer_:-6 the_argume+2 the_articl-4 the_back+6 the_bell+3 the_best+12 the_blank+3 the_board+1 the_body+1
    the_capita+1 the_charac+15 the_clue+2 the_credit-2 the_eviden+2 the_field+1 the_final-6 the_first+5 the_former+8
    the_hint+10 the_jury-2 the_kind-5 the_line+4 the_link+11 the_man_who-2 the_markin-1 the_matter+2 the_most+1
    the_myth+15 the_nail+11 the_name+1 the_name_R-15 the_one+4 the_one_that-4 the_only+19 the_option+5 the_other-5
    the_person-2 the_person_who-2 the_prompt-10 the_questi_.-1 the_questi_is+7 the_reply+3 the_rest+1 the_right+1
    the_second-1 the_second_one-1 the_sole+6 the_soluti+2 the_song+4 the_spokes-1 the_string-5 the_text+4 the_transl-2
    the_water-4 the_winner+1 the_word-4 the_wordin_is-7 the_wrong-28 the_year+7 then+3 then_,-8 then_R+5 then_R_,-3
    then_R_.+7 theory_of+17 there_.-1 there_:+2 there_was-3 there'-1 there'_no+4 they+1 they_can+4 they'd+7 thin-10
    think_R+4 think_of_X-1 think_the-8 third-2 this-1 this_,_and+2 this_R-1 this_one+6 this_questi+12 this_respon-1
    this_time+4 those-4 those_who+3 three_.-3 throug_X+8 throw-8 thrown-9 thumbs_down-11 thumbs_up+20 times+10 to-1
    to_R+5 to_R_,-6 to_R_;-2 to_R_and+7 to_R_is+3 to_W+1 to_W_W-2 to_X_.-3 to_X_;+5 to_X_and-2 to_a-3 to_answer+1
    to_answer_:+9 to_as+9 to_be_it+5 to_be_the+5 to_believ-12 to_confir-13 to_deny+9 to_differ-10 to_do-1 to_give+3
    to_go-3 to_hear-3 to_me+7 to_mind-4 to_my-3 to_name_R-2 to_none+1 to_nothin+2 to_say_anythi+8 to_say_that-5
    to_tell+9 to_the+2 to_the_answer-7 to_worry_:+11 tongue-5 too-4 took_over+1 took_place+5 topic-8 torn-7 total+1
    total_of+7 totall+1 touris-10 trace-4 trap-2 true+4 true_,-4 true_.+11 true_:-9 truly+1 truth+2 truth_,+3
    truth_.+6 truthf+11 two-4 two_of+1 u+5 u_.+2 u_._s+2 unable_to-2 unconv-4 undeci-21 under_X+1 under_no_circum-1
    undoub+1 univer_X-1 univer_X_,-3 unless-3 unmist+4 unques+3 unrela-16 unreli-21 unsucc-1 until-1 unveri-13 up_.-1
    up_R-4 up_for_R+5 up_in-5 up_on-5 used+10 used_for+8 used_to-17 usual-3 valid+8 verdic+1 verifi+3 versio-8
    versus-11 vetoed-12 victor+3 vindic+9 voice+8 volume-1 vote+5 vote_.+8 voted_for+8 vouch_for+6 wake-1 want_R+2
    wanted+2 wanted_.+2 wantin-16 warm-3 was+1 was_.+13 was_R-2 was_R_.-1 was_R_;-3 was_R_that+2 was_W+2 was_W_.-6
    was_a+3 was_a_W+1 was_appoin+9 was_born-8 was_correc+1 was_first+14 was_in-9 was_left-2 was_no+31 was_not+8
    was_origin+13 was_read+11 was_releas+18 was_right+6 was_still-3 was_that-41 was_the-1 was_the_R-1 was_the_X-1
    way-1 way_it's+24 we-1 we_can-11 we_cannot-17 we_conclu+7 we_conclu_that+6 we_have+2 week-2 well+1 well_,-12
    well_-+8 were-2 were_R-9 were_R_.-9 were_it-3 were_not+33 what_a-1 what_follow-8 what_i+3 what_is-2 what_others-22
    when_R+8 where_R+3 where_R_belong+4 wherea-1 whethe_it-12 whethe_it_is-5 which-1 which_R-8 which_came+1
    which_is_R+8 which_is_what+3 which_not-3 which_the-1 which_was+3 whiche-8 who+2 who_not+8 who_say+4 whom+3 whose-4
    why+1 why_R_?+11 wide-7 will_W+27 will_be-8 will_tell-2 winner+4 wins+1 wish-22 with+3 with_#+4 with_R_,-9
    with_R_.+1 with_R_;-3 with_R_and-9 with_R_on+5 with_X_,+3 with_X_.-3 with_a-3 with_it-5 with_my+4 with_no-1
    with_that+6 with_the-3 with_the_X+4 withdr-5 within-2 withou-1 withou_R_.-12 withou_a+1 withou_any-5
    withou_being-21 withou_reserv+2 witnes-1 won+11 wonder_about-1 word_R-6 word_is-7 wordin-3 work-5 worked+1
    worry+12 worry_:+1 worst-5 would-1 would_W+6 would_be-1 would_have-3 would_i-1 would_need-12 would_that-3
    would_you+13 write_R_.-5 writin+12 writte_by+17 wrong-6 wrong_,+3 wrong_,_R+9 wrong_.-1 wrong_;_it's+44 wrong_?+6
    wrong_answer-21 wrongl-12 wrongl_believ-37 wrote_R+1 wrote_R_and+1 x+3 x_is+23 yeah_right-11 years-2 yep+2 yes_,-2
    yes_.+2 yet-1 yet_it_is+14 yield-1 you-1 you_?+5 you_R_.-1 you_R_;+6 you_ask+7 you_can-1 you_could-6 you_descri-5
    you_like+2 you_might-4 you_not+3 you_said+2 you_that+4 you_were+5 you_would+2 you'd-2 you'd_be-2 you'll-2
    your_pick-4 your_questi+3 yourse-1 ≠-14 ☐_R-3 ✅+1 👎-5 🤔-10""",
}
